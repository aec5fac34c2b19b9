#pragma once

#include <cstddef>

#include "kernels/custom_two_shot.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// A kernel that works through slots. All take the arguments of the one that needs most.
struct PacketKernel {
  const char* name;
  std::size_t (*row_bytes)(std::size_t bytes, int ranks);
  kernels::LaunchShape (*shape)(std::size_t bytes, int ranks, int multiprocessors);
  cudaError_t (*launch)(kernels::Element, const kernels::TwoShotArguments&, const kernels::LaunchShape&,
                        cudaStream_t);
};

// A strategy of ours whose kernel works through slots: rank order, one rounding, the same bits
// everywhere.
class PacketStrategy : public Strategy {
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
  PacketStrategy(const PacketKernel& kernel, bool dependent) : kernel_(kernel), dependent_(dependent) {}

 private:
  const PacketKernel& kernel_;
  bool dependent_;
};

}  // namespace ringside
