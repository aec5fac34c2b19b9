#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/element.hpp"

namespace ringside::bench {

// One call of a sequence as the data kernels see it.
struct CallData {
  void* input = nullptr;
  void* output = nullptr;
  std::size_t count = 0;
  kernels::Element element = kernels::Element::bf16;
};

// What the check has found, in device memory.
struct Verdict {
  unsigned long long wrong = 0;    // elements
  unsigned long long checked = 0;  // elements
  std::uint32_t burst = 0;         // of the first wrong one, as the rest
  std::uint32_t call = 0;
  unsigned long long element = 0;
  std::uint32_t got = 0;
  std::uint32_t expected = 0;
};

// A sequence is played over and over; *burst counts how often, so that each play has other data. All bit
// patterns occur, special ones often: all ones, -0, infinities, NaN, subnormals.

// Enqueues: inputs filled, outputs that are not inputs poisoned, *burst increased.
void launch_fill(const CallData* calls, int count, int rank, std::uint32_t* burst, cudaStream_t stream);

// Enqueues: every output compared, bit by bit, with the sum over ranks in fp32 in rank order, rounded once.
void launch_check(const CallData* calls, int count, int ranks, const std::uint32_t* burst, Verdict* verdict,
                  cudaStream_t stream);

// Enqueues a kernel that takes a random time up to `longest_ns`, another one in each burst.
void launch_random_delay(const std::uint32_t* burst, std::uint32_t salt, std::uint32_t longest_ns,
                         cudaStream_t stream);

// Enqueues a kernel that stands for the compute between two calls: reads and writes `count` floats.
void launch_compute(float* data, std::size_t count, cudaStream_t stream);

}  // namespace ringside::bench
