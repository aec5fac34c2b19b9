#pragma once

#include <cuda_runtime_api.h>

#include "kernels/wait.hpp"

namespace ringside::kernels {

// One flag to a cache line: peers poll none but their own.
struct alignas(128) Flag {
  std::uint32_t value = 0;
};

// Flags by which ranks meet. inboxes[r] is rank r's array of kMaxRanks flags, as this GPU reaches it; rank p
// writes element p of it.
struct FlagBoard {
  Flag* inboxes[kMaxRanks] = {};
  int rank = 0;
  int ranks = 0;
};

// Enqueues a kernel that ends when all ranks' kernels of the same `epoch` have begun. Epochs grow by one from
// call to call, the same on all ranks. `gate`, if not null, is a counter in host memory that must reach
// `gate_value` first; the kernel goes on without it after `gate_limit_ns`.
void launch_device_barrier(const FlagBoard& board, std::uint32_t epoch, const WaitGuard& guard,
                           const std::uint32_t* gate, std::uint32_t gate_value, std::uint64_t gate_limit_ns,
                           cudaStream_t stream);

}  // namespace ringside::kernels
