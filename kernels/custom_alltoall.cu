// All-to-all by direct stores: every rank stores its part for a peer into that peer's output.
//
// Block b of each rank meets the blocks b of its peers twice, with the flags and counts of custom_pull.
//
// Start. A peer's output may be written when that peer has reached this call in its stream: what it did with
// the output before is complete then. "started" carries no data, so it is a plain store at system scope, and
// the load that waits for it is an acquire, so no store behind the __syncthreads that follows can be early.
//
// End. When all threads of a block have stored (__syncthreads), one thread for each peer publishes "finished"
// with release at system scope; the barrier makes that release cover the stores of the whole block. A block
// ends only when its peers' blocks of the same number have published theirs, so when a rank's kernel is
// complete every block of every peer has stored everything, visibly. The input is read by its owner alone.
//
// A wait past the guard's limit leaves a record and ends the kernel; output is not valid then.
#include "kernels/custom_alltoall.hpp"

#include "kernels/wait.cuh"

namespace ringside::kernels {
namespace {

// Copies this block's share of a part in units of T; the rest of the division by the first block's threads.
template <typename T>
__device__ void store_units(const std::byte* source, std::byte* target, std::size_t bytes) {
  const std::size_t units = bytes / sizeof(T);
  const std::size_t lanes = std::size_t{gridDim.x} * kPullThreads;
  const auto* const from = reinterpret_cast<const T*>(source);
  auto* const to = reinterpret_cast<T*>(target);
  for (std::size_t i = std::size_t{blockIdx.x} * kPullThreads + threadIdx.x; i < units; i += lanes)
    to[i] = from[i];
}

// The widest unit that divides both addresses and the size: elements have 2 bytes at least.
__device__ void store_part(const std::byte* source, std::byte* target, std::size_t bytes) {
  const std::uintptr_t all =
      reinterpret_cast<std::uintptr_t>(source) | reinterpret_cast<std::uintptr_t>(target) | bytes;
  if (all % 16 == 0) return store_units<uint4>(source, target, bytes);
  if (all % 4 == 0) return store_units<std::uint32_t>(source, target, bytes);
  store_units<std::uint16_t>(source, target, bytes);
}

__global__ void __launch_bounds__(kPullThreads) custom_alltoall(AllToAllArguments arguments) {
  PullState& mine = *arguments.states[arguments.rank];
  auto& counts = mine.counts[blockIdx.x];
  const std::uint32_t started = counts.started + 1;
  const std::uint32_t finished = counts.finished + 1;
  const int peer = static_cast<int>(threadIdx.x);
  const bool speaks = peer < arguments.ranks && peer != arguments.rank;
  if (speaks) {
    publish<cuda::memory_order_relaxed>(&arguments.states[peer]->arrivals[blockIdx.x].start[arguments.rank],
                                        started);
  }
  store_part(arguments.sources[arguments.rank], arguments.targets[arguments.rank],
             arguments.bytes[arguments.rank]);
  bool come = true;
  if (speaks) {
    come = !has_failed(arguments.guard) && wait_for(&mine.arrivals[blockIdx.x].start[peer], started, peer,
                                                    WaitPlace::pull_start, arguments.guard);
  }
  if (!__syncthreads_and(come)) return;
  for (int i = 1; i < arguments.ranks; ++i) {
    const int to = (arguments.rank + i) % arguments.ranks;  // not all to the same one first
    store_part(arguments.sources[to], arguments.targets[to], arguments.bytes[to]);
  }
  __syncthreads();
  if (speaks) {
    publish(&arguments.states[peer]->arrivals[blockIdx.x].end[arguments.rank], finished);
    come =
        wait_for(&mine.arrivals[blockIdx.x].end[peer], finished, peer, WaitPlace::pull_end, arguments.guard);
  }
  if (!__syncthreads_and(come)) return;
  if (threadIdx.x == 0) {
    counts.started = started;
    counts.finished = finished;
  }
}

}  // namespace

int alltoall_blocks(std::size_t bytes, int max_blocks) {
  return pull_blocks(bytes, max_blocks);
}

void launch_custom_alltoall(const AllToAllArguments& arguments, int blocks, cudaStream_t stream) {
  custom_alltoall<<<static_cast<unsigned>(blocks), kPullThreads, 0, stream>>>(arguments);
}

}  // namespace ringside::kernels
