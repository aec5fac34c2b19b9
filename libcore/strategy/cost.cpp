#include "strategy/cost.hpp"

#include <algorithm>

namespace ringside {

double alltoall_wire_bytes(const Case& params) {
  const double bytes = static_cast<double>(params.bytes.count);
  const double others = params.ranks - 1;
  const double received = static_cast<double>(output_bytes(params).count) * others / params.ranks;
  return std::max(bytes * others / params.ranks, received);
}

Estimate estimate_on(const MachineProfile& machine, const Strategy& strategy, const Case& params) {
  const auto fit = std::ranges::find_if(machine.fitted, [&](const FittedCost& candidate) {
    return candidate.strategy == params.strategy && candidate.collective == params.collective &&
           candidate.mode == params.mode && candidate.ranks == params.ranks;
  });
  if (fit != machine.fitted.end()) {
    return {fit->time_ns(params.bytes),
            "alpha + beta x bytes + gamma x sqrt(bytes), fitted to a measurement"};
  }
  MachineProfile as_launched = machine;
  if (params.mode == Mode::eager && machine.device() == DeviceKind::cuda)
    as_launched.call_overhead_ns = std::max(machine.call_overhead_ns, machine.launch_ns);
  return strategy.estimate(params, as_launched);
}

}  // namespace ringside
