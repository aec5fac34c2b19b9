// custom: the fastest of our kernels for the message, from a table that was measured on this machine
// (ringside probe-comm --tune) or the built-in one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "device/cuda/cuda_device.hpp"
#include "strategy/custom_table.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

const Strategy& candidate(const std::string& name) {
  const Strategy* const strategy = find_strategy(name, DeviceKind::cuda);
  if (strategy == nullptr) throw InternalError("custom knows no strategy " + name);
  return *strategy;
}

StrategyChoice choice_from(const CustomTable& table, PeerAccess link, const Case& params) {
  return {.ran = choose_custom(table, link, params.mode, params.ranks, params.bytes),
          .chosen_by = fmt::format("{} {}", table.origin, table.digest)};
}

// The file may be replaced while ranks read it, so rank 0 alone does. Collective.
StrategyChoice choose(CudaDevice& device, const Case& params) {
  StrategyChoice choice;
  if (device.rank() == 0) {
    const FoundCustomTable found = custom_table_for(device.settings().gpus);
    // NVLink carries atomic operations between GPUs, PCIe does not.
    const PeerAccess link = device.all_native_atomics() ? PeerAccess::nvlink : PeerAccess::pcie;
    choice = choice_from(found.table, link, params);
    choice.problem = found.problem;
  }
  choice.ran = device.bootstrap().all_gather(choice.ran).front();
  choice.chosen_by = device.bootstrap().all_gather(choice.chosen_by).front();
  return choice;
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

  // The table is read by the ranks, so this is the most that any of the candidates takes.
  void allocate(Arena& arena, const Case& params) const override {
    const Bytes before = arena.used();
    Bytes most = before;
    for (const char* name : kCustomCandidates) {
      candidate(name).allocate(arena, params);
      most = std::max(most, arena.used());
      arena.rewind(before);
    }
    arena.allocate({most.count - before.count}, 1);
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    StrategyChoice choice = choose(CudaDevice::of(device), params);
    auto prepared = candidate(choice.ran).prepare(device, params);
    prepared->set_choice(std::move(choice));
    return prepared;
  }

  // A table that was measured on this box says nothing of a described one.
  std::optional<StrategyChoice> choose_on(const Case& params, const MachineProfile& machine) const override {
    return choice_from(built_in_custom_table(), machine.peer_access.value_or(PeerAccess::nvlink), params);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return candidate(choose_on(params, machine)->ran).estimate(params, machine);
  }
};

const RegisterStrategy<Custom> registered;

}  // namespace
}  // namespace ringside
