#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/custom_pull.hpp"
#include "kernels/wait.hpp"

namespace ringside::kernels {

struct AllToAllArguments {
  PullState* states[kPullMaxRanks] = {};         // as this GPU reaches them; all zero before the first call
  const std::byte* sources[kPullMaxRanks] = {};  // this rank's part for each peer
  std::byte* targets[kPullMaxRanks] = {};        // where it goes at the peer
  std::size_t bytes[kPullMaxRanks] = {};
  int rank = 0;
  int ranks = 0;
  WaitGuard guard;
};

// Blocks for a message, at most `max_blocks`. The same on all ranks.
int alltoall_blocks(std::size_t bytes, int max_blocks);

// Enqueues one all-to-all. All ranks call it with the same blocks in the same order. Any alignment and size.
void launch_custom_alltoall(const AllToAllArguments& arguments, int blocks, cudaStream_t stream);

}  // namespace ringside::kernels
