// custom: the fastest of our kernels for the message, from a table that was measured on this machine
// (ringside probe-comm --tune) or the built-in one.
#include <algorithm>

#include "base/errors.hpp"
#include "device/cuda/cuda_device.hpp"
#include "strategy/custom_table.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

const Strategy& candidate(const std::string& name) {
  const bool listed = std::find(std::begin(kCustomCandidates), std::end(kCustomCandidates), name) !=
                      std::end(kCustomCandidates);
  const Strategy* const strategy = listed ? find_strategy(name, DeviceKind::cuda) : nullptr;
  if (strategy == nullptr) throw UsageError("the table of custom names no strategy that it may use: " + name);
  return *strategy;
}

class Custom final : public Strategy {
 public:
  std::string_view name() const override { return "custom"; }
  std::string_view family() const override { return "custom"; }
  std::string_view summary() const override { return "the fastest of our own kernels for each message size"; }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }

  // All candidates ask for the same.
  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    return candidate(kCustomCandidates[0]).admit(params, context);
  }

  // The choice depends on the machine, which only the ranks know.
  Bytes scratch(const Case& params) const override {
    Bytes most;
    for (const char* name : kCustomCandidates) most = std::max(most, candidate(name).scratch(params));
    return most;
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    const CustomTable table = custom_table_for(CudaDevice::of(device).settings().gpus);
    const std::string& mine = choose_custom(table, params.mode, params.ranks, params.bytes);
    // The file may be replaced while ranks read it: rank 0's choice is everybody's.
    return candidate(device.exchange().all_gather(mine).front()).prepare(device, params);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const auto estimates = [&](const char* name) { return candidate(name).estimate(params, machine); };
    Estimate least = estimates(kCustomCandidates[0]);
    for (const char* name : kCustomCandidates) {
      const Estimate other = estimates(name);
      if (other.time_ns < least.time_ns) least = other;
    }
    return least;
  }
};

const RegisterStrategy<Custom> registered;

}  // namespace
}  // namespace ringside
