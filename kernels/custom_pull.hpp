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
  void* output = nullptr;  // own
  std::size_t count = 0;   // elements
  int rank = 0;
  int ranks = 0;
  WaitGuard guard;
};

// Blocks for a message: enough to keep the link busy, at most `max_blocks`. The same on all ranks.
int pull_blocks(std::size_t bytes, int max_blocks);

// Enqueues one allreduce (sum). inputs[rank] == output is allowed. All ranks call it with the same count,
// element type, blocks and choice of in place or not, in the same order.
void launch_custom_pull(Element element, const PullArguments& arguments, int blocks, cudaStream_t stream);

}  // namespace ringside::kernels
