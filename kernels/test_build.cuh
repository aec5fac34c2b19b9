#pragma once

#include <cstdint>

namespace ringside::kernels {

// What a build of the kernels for their own tests may change. What is handed out changes nothing.

// A mistake made on purpose, to show that a test of the kernels catches it.
enum class PlantedBug {
  none,
  keep_packets,     // slots are not emptied
  one_half,         // one buffer too few
  count_per_block,  // every block counts its own calls, so that counts part when the grid changes
  no_release        // a flag is published without waiting for the data that it stands for
};
#ifndef RINGSIDE_PLANTED_BUG
#define RINGSIDE_PLANTED_BUG none
#endif
inline constexpr PlantedBug kPlantedBug = PlantedBug::RINGSIDE_PLANTED_BUG;

// Whether dawdle() does anything.
#ifndef RINGSIDE_WIDEN_RACES
#define RINGSIDE_WIDEN_RACES false
#endif
inline constexpr bool kWidenRaces = RINGSIDE_WIDEN_RACES;

// Stands where one thread may overtake another: one warp in eight takes up to 8 us longer here, so that a
// race which needs bad luck is met within seconds.
__device__ inline void dawdle() {
  if constexpr (kWidenRaces) {
    const auto now = static_cast<std::uint32_t>(clock64());
    const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::uint32_t drawn = (now ^ warp * 0x9e3779b9u) * 0x85ebca6bu;
    if (drawn >> 29 != 0) return;
    const std::int64_t end = clock64() + (drawn >> 8 & 16383u);
    while (clock64() < end) {
    }
  }
}

}  // namespace ringside::kernels
