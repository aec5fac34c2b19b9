#pragma once

#include "kernels/custom_pull.hpp"
#include "kernels/wait.cuh"

namespace ringside::kernels {

// How block b of a pull kernel meets the blocks b of its peers: see custom_pull.cu.

enum class Barrier { start, end };

// Thread p of the block speaks for it with peer p.
template <cuda::memory_order Order>
__device__ void publish_to_peer(const PullArguments& arguments, Barrier barrier, std::uint32_t count) {
  const int peer = static_cast<int>(threadIdx.x);
  if (peer >= arguments.ranks || peer == arguments.rank) return;
  auto& arrivals = arguments.states[peer]->arrivals[blockIdx.x];
  publish<Order>(&(barrier == Barrier::start ? arrivals.start : arrivals.end)[arguments.rank], count);
}

// True in all threads when all peers have come.
__device__ inline bool wait_for_peers(const PullArguments& arguments, Barrier barrier, std::uint32_t count) {
  const int peer = static_cast<int>(threadIdx.x);
  bool come = true;
  if (peer < arguments.ranks && peer != arguments.rank) {
    auto& arrivals = arguments.states[arguments.rank]->arrivals[blockIdx.x];
    const bool start = barrier == Barrier::start;
    come = wait_for(&(start ? arrivals.start : arrivals.end)[peer], count, peer,
                    start ? WaitPlace::pull_start : WaitPlace::pull_end, arguments.guard);
  }
  return __syncthreads_and(come);
}

}  // namespace ringside::kernels
