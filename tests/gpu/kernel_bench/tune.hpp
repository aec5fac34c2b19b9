#pragma once

#include <vector>

#include "gpu/kernel_bench/lab.hpp"

namespace ringside::bench {

struct TuneOptions {
  std::vector<std::size_t> sizes;  // bytes
  std::string_view families;       // as find_families() takes them
  int calls = 122;
  int repetitions = 15;
  int shown = 3;                  // best shapes of each family and size
  bool shapes_of_family = false;  // only the shape that the family itself would take
  bool between = false;           // a compute kernel before each call; its own time is taken off
  bool eager = false;
};

// Times bf16 calls for every family, size and launch shape, with and without dependent launch, and prints the
// best. Collective.
void tune(Lab& lab, const TuneOptions& options);

}  // namespace ringside::bench
