#pragma once

#include <span>
#include <string_view>

#include "gpu/kernel_bench/lab.hpp"

namespace ringside::bench {

// Has a profiler look at bf16 calls of a family on rank 0. For each size a range (cudaProfilerStart to
// cudaProfilerStop) holds nothing but calls from a graph, back to back, while the other ranks make the same
// ones unwatched. Rank 0 prints a line for each range: "range BYTES FAMILY CALLS". Collective.
void profile(Lab& lab, std::string_view family, std::span<const std::size_t> sizes);

}  // namespace ringside::bench
