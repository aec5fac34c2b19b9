#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/custom_two_shot.hpp"
#include "kernels/element.hpp"

namespace ringside::bench {

// A kernel family as the bench sees it. What only one of them needs, the others don't look at.
struct Family {
  std::string_view name;
  std::size_t (*row_bytes)(std::size_t bytes, int ranks);
  kernels::LaunchShape (*shape)(std::size_t bytes, int ranks, int multiprocessors);
  cudaError_t (*launch)(kernels::Element, const kernels::TwoShotArguments&, const kernels::LaunchShape&,
                        cudaStream_t);
  std::size_t largest_message;
  bool shapes_may_differ;  // between ranks, in one call
};

std::span<const Family> families();

// Those that a comma-separated list names; all when it is empty. Throws std::runtime_error when it names
// none.
std::vector<const Family*> find_families(std::string_view list);

}  // namespace ringside::bench
