#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ringside {

// How a GPU is running at this moment.
struct GpuState {
  unsigned sm_mhz = 0;
  std::uint64_t clock_reasons = 0;  // NVML's bits; see clock_reason_names()
};

// What the set bits say about why clocks are held down. A GPU that merely idles, and clocks that somebody has
// set, are no reasons.
std::vector<std::string> clock_reason_names(std::uint64_t reasons);

}  // namespace ringside
