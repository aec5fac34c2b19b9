#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/scenario.hpp"
#include "spec/weights.hpp"

namespace ringside {

// What each layout leaves of a GPU's memory, and whether a KV pool fits: SGLang gives the pool what is free
// after the weights, less the part of the GPU (1 - mem-fraction) that it keeps for activations and graphs.
// Free memory is what was observed, else the GPU's `memory_gib` less weights, context and (with an
// all-to-all) its workspace. Empty where the GPU's memory is not known (0).
std::vector<SpecMemory> memory_by_layout(const SpecScenario& scenario, const ModelFacts& facts,
                                         double memory_gib);

}  // namespace ringside
