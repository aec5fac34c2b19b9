#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/kernel_bench/lab.hpp"

namespace ringside::bench {

struct SequenceOptions {
  std::uint64_t seed = 1;
  int sequences = 24;                // different ones, played in random order
  int calls = 64;                    // of one sequence
  std::size_t largest = 256 * 1024;  // bytes of a message
  std::uint32_t delay_ns =
      0;  // one rank, another in each sequence, is delayed by up to this before some calls
  int plays = 100;
  std::string_view families;  // as find_families() takes them; mixed
};

// What came of it, over all ranks.
struct SequenceResult {
  unsigned long long calls = 0;    // per rank
  unsigned long long checked = 0;  // elements
  unsigned long long wrong = 0;
  double seconds = 0;
};

// What the call counters start with, so that they come round soon.
inline constexpr std::uint32_t kCallsNearEnd = 0xffffff00u;

// Plays sequences of calls back to back, as graphs and one by one, and checks every element of every output.
// Family, size, element type, alignment, in place or not, grid, block and dependent launch differ from call
// to call, and grids between ranks where they may. Now and then the counters are set back to kCallsNearEnd,
// which is as if the numbers of calls had come round. Collective. Throws when a kernel gave up waiting.
SequenceResult play_sequences(Lab& lab, const SequenceOptions& options);

}  // namespace ringside::bench
