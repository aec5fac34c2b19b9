#include "strategy/cost.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "strategy/registry.hpp"

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
    return {.time_ns = fit->time_ns(params.bytes),
            .formula = "alpha + beta x bytes + gamma x sqrt(bytes), fitted to measured times"};
  }
  if (auto choice = strategy.choose_on(params, machine)) {
    const Strategy* const chosen = find_strategy(choice->ran, strategy.device());
    if (chosen == nullptr) throw InternalError("a strategy takes " + choice->ran + ", which is not there");
    Case taken = params;
    taken.strategy = chosen->name();
    taken.family = chosen->family();
    Estimate estimate = estimate_on(machine, *chosen, taken);
    estimate.choice = std::move(choice);
    return estimate;
  }
  MachineProfile as_launched = machine;
  if (params.mode == Mode::eager && machine.device() == DeviceKind::cuda)
    as_launched.call_overhead_ns = std::max(machine.call_overhead_ns, machine.launch_ns);
  return strategy.estimate(params, as_launched);
}

}  // namespace ringside
