#pragma once

#include <string>

#include "strategy/strategy.hpp"

namespace ringside {

// The cost model of all estimates: what one call costs anyhow, what each dependent step costs, and the bytes
// that the busiest rank moves in its busier direction.
inline Estimate estimate_cost(const MachineProfile& machine, double steps, double wire_bytes,
                              std::string formula) {
  const double per_step_ns = machine.one_way_latency_ns + machine.step_overhead_ns;
  return {machine.call_overhead_ns + steps * per_step_ns + wire_bytes / machine.bandwidth_gbps,
          "call + " + std::move(formula)};
}

}  // namespace ringside
