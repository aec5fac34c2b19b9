#pragma once

#include <string>
#include <utility>

#include "strategy/strategy.hpp"

namespace ringside {

// The cost model of all estimates: what one call costs anyhow, what each dependent step costs, and the bytes
// that the busiest rank moves in its busier direction.
inline Estimate estimate_cost(const MachineProfile& machine, double steps, double wire_bytes,
                              std::string formula, double step_overhead_ns) {
  const double per_step_ns = machine.one_way_latency_ns + step_overhead_ns;
  return {.time_ns = machine.call_overhead_ns + steps * per_step_ns + wire_bytes / machine.bandwidth_gbps,
          .formula = "call + " + std::move(formula)};
}

inline Estimate estimate_cost(const MachineProfile& machine, double steps, double wire_bytes,
                              std::string formula) {
  return estimate_cost(machine, steps, wire_bytes, std::move(formula), machine.step_overhead_ns);
}

// Bytes that the rank with most work of an all-to-all moves in its busier direction: an even one's (n-1)/n of
// the message; what the fullest rank receives when it is skewed.
double alltoall_wire_bytes(const Case& params);

// What the model device says of a case: what was fitted to a measurement of this strategy on that machine
// with as many ranks, else the same of what it would take there, else the strategy's own estimate. Outside a
// graph each call is launched by itself.
Estimate estimate_on(const MachineProfile& machine, const Strategy& strategy, const Case& params);

}  // namespace ringside
