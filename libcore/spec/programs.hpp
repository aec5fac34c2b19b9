#pragma once

#include <chrono>
#include <vector>

#include "spec/communication.hpp"
#include "sweep/step_replay.hpp"

namespace ringside {

// The steps of the scenario as sequences of the plan's cases, for every strategy whose rows have a time: a
// verify pass, a plain step and one draft step; with experts a verify pass with each all-to-all beside the
// fastest allreduce. With `compute` (per layer) each verify pass and plain step is there a second time,
// with idle time between its calls.
std::vector<StepProgram> step_programs(const SpecScenario& scenario, const Plan& plan,
                                       const Document& document, std::chrono::nanoseconds compute,
                                       std::chrono::nanoseconds skew);

}  // namespace ringside
