#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/element.hpp"
#include "kernels/wait.hpp"

namespace ringside::kernels {

inline constexpr int kPullMaxRanks = 8;
inline constexpr int kPullMaxBlocks = 64;
inline constexpr int kPullThreads = 512;

// What the kernel keeps in each rank's symmetric memory between calls; all zero before the first one.
struct PullState {
  // How often this block has met its peers, at the start and at the end of a piece of work. Only this rank
  // uses them.
  struct alignas(128) Counts {
    std::uint32_t started = 0;
    std::uint32_t finished = 0;
  } counts[kPullMaxBlocks];
  // [block][peer]: what peer's block of the same number has published, one cache line to a block.
  struct alignas(128) Arrivals {
    std::uint32_t start[kPullMaxRanks] = {};
    std::uint32_t end[kPullMaxRanks] = {};
  } arrivals[kPullMaxBlocks];
};

struct PullArguments {
  PullState* states[kPullMaxRanks] = {};  // as this GPU reaches them
  const void* inputs[kPullMaxRanks] = {};
  void* output = nullptr;          // own
  void* sums[kPullMaxRanks] = {};  // two-stage: pull_sums_bytes() of each rank, on a border of 16 bytes
  std::size_t count = 0;           // elements
  int rank = 0;
  int ranks = 0;
  WaitGuard guard;
};

// Blocks for a message: enough to keep the link busy, at most `max_blocks`. The same on all ranks.
int pull_blocks(std::size_t bytes, int max_blocks);

// Enqueues one allreduce (sum). inputs[rank] == output is allowed. All ranks call it with the same count,
// element type, blocks and choice of in place or not, in the same order. Returns the launch's error.
cudaError_t launch_custom_pull(Element element, const PullArguments& arguments, int blocks,
                               cudaStream_t stream);

// The same in two stages: each rank sums its share, and all read the shares' sums. `blocks` as for a message
// of a share's size. Calls of both kinds may follow each other with one state.
cudaError_t launch_custom_pull_two_stage(Element element, const PullArguments& arguments, int blocks,
                                         cudaStream_t stream);

// What each rank needs for the sums of its share of a message, whatever its alignment.
std::size_t pull_sums_bytes(std::size_t bytes, int ranks);

}  // namespace ringside::kernels
