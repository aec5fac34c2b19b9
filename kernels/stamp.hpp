#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ringside::kernels {

inline constexpr std::uint32_t kMaxStamps = 128;

// Time stamps that kernels of a stream have left, in device memory.
struct StampLog {
  std::uint32_t taken = 0;
  std::uint64_t times_ns[kMaxStamps] = {};
};

// Enqueues a kernel that adds the GPU's time to the log; nothing when it is full. As a node of a graph it
// says when the nodes before it were done, whatever it took to start the graph.
void launch_stamp(StampLog* log, cudaStream_t stream);

}  // namespace ringside::kernels
