#pragma once

#include <vector>

#include "machine/profile.hpp"
#include "model/spec_result.hpp"
#include "spec/scenario.hpp"
#include "spec/weights.hpp"

namespace ringside {

// What each layout leaves of a GPU's memory, and whether a KV pool fits: SGLang gives the pool what is free
// after the weights, less the part of the GPU (1 - mem-fraction) that it keeps for activations and graphs.
// Free memory is what was observed, else the GPU's less weights, context and (expert parallelism) the
// all-to-all's workspace. Empty where the machine's memory is not known.
std::vector<SpecMemory> memory_by_layout(const SpecScenario& scenario, const MachineProfile& machine);

}  // namespace ringside
