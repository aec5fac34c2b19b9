#pragma once

#include <cstddef>

#include "kernels/custom_two_shot.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// A kernel that works through mailboxes. All take the arguments of the one that needs most.
struct MailboxKernel {
  const char* name;
  std::size_t (*slot_bytes)(std::size_t bytes, int ranks);
  kernels::LaunchShape (*shape)(std::size_t bytes, int ranks, int multiprocessors);
  cudaError_t (*launch)(kernels::Element, const kernels::TwoShotArguments&, const kernels::LaunchShape&,
                        cudaStream_t);
};

// A strategy of ours whose kernel works through mailboxes: rank order, one rounding, the same bits
// everywhere.
class MailboxStrategy : public Strategy {
 public:
  DeviceKind device() const override { return DeviceKind::cuda; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }
  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override;
  void allocate(Arena& arena, const Case& params) const override;
  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override;

 protected:
  // `dependent`: programmatic dependent launch.
  MailboxStrategy(const MailboxKernel& kernel, bool dependent) : kernel_(kernel), dependent_(dependent) {}

 private:
  const MailboxKernel& kernel_;
  bool dependent_;
};

}  // namespace ringside
