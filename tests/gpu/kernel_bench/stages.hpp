#pragma once

#include <span>

#include "gpu/kernel_bench/lab.hpp"

namespace ringside::bench {

// Times custom-push with its last stages left out, bf16, two ranks, in a graph, and prints a line for each
// size and stage: "stage BYTES STAGE US", STAGE as in kernels::PushStages, "all:pdl" with dependent launch.
// Collective.
void time_stages(Lab& lab, std::span<const std::size_t> sizes);

}  // namespace ringside::bench
