// One-shot allreduce that pulls: every rank loads the whole message of every peer and sums it itself.
//
// Work is cut the same way on all ranks: block b of each rank handles the same elements, so block b needs to
// meet only the blocks b of its peers. They meet twice.
//
// Start. A block publishes "started" to its peers' blocks and waits for theirs before it loads. The inputs
// were written by earlier work of each rank's stream. That work's end has brought its writes to where peers
// read them, so "started" is a plain store at system scope: a release would wait half a microsecond for
// nothing. (NCCL's symmetric kernels begin with a barrier that only acquires, for the same reason.) The
// waiting load is an acquire, so no thread behind the __syncthreads that follows can have loaded too early,
// or from its own cache.
//
// End. A rank may overwrite its input when all peers have read it. Out of place a block stores its sums, then
// publishes "finished" (behind __syncthreads), and does not let go before its peers' blocks have. A sum that
// is stored was made of values that had come, so no load of the block is under way any more; nobody reads the
// sums but later work of this stream. So that is a plain store too.
//
// In place the output is the input that peers read. A chunk (what the grid holds in registers at once) is
// therefore stored only after "finished" of all peers for that chunk; the chunks of one call meet one after
// another. Here "finished" is a release, which waits for the loads before it; the barrier in front makes them
// those of the whole block. Elements of other chunks are not touched by it.
//
// Counts only grow, modulo 2^32, and are compared circularly. They live in device memory, one per block, so a
// graph can be replayed for ever and calls of different grids mix: a block that takes part in fewer calls
// counts fewer, on all ranks alike. A rank can run ahead by one barrier at most, since the next one needs
// this rank. No flag is reset, no atomic operation crosses the link. A wait past the guard's limit leaves a
// record and ends the kernel; output is not valid then.
#include "kernels/custom_pull.hpp"

#include "kernels/launch.cuh"
#include "kernels/pull.cuh"
#include "kernels/sum.cuh"

namespace ringside::kernels {
namespace {

constexpr int kPiecesPerThread = 4;

template <typename T, int Ranks>
__global__ void __launch_bounds__(kPullThreads) custom_pull(const __grid_constant__ PullArguments arguments) {
  auto& counts = arguments.states[arguments.rank]->counts[blockIdx.x];
  const std::uint32_t started = counts.started + 1;
  publish_to_peer<cuda::memory_order_relaxed>(arguments, Barrier::start, started);
  std::uint32_t finished = counts.finished;

  const T* inputs[Ranks];
#pragma unroll
  for (int r = 0; r < Ranks; ++r) inputs[r] = static_cast<const T*>(arguments.inputs[r]);
  T* const output = static_cast<T*>(arguments.output);
  const bool in_place = arguments.inputs[arguments.rank] == arguments.output;
  const Pieces pieces = cut<T>(arguments.count, arguments.inputs[arguments.rank], output);
  const std::size_t lanes = std::size_t{gridDim.x} * kPullThreads;
  const std::size_t chunk = lanes * kPiecesPerThread;
  const std::size_t lane = std::size_t{blockIdx.x} * kPullThreads + threadIdx.x;

  if (!wait_for_peers(arguments, Barrier::start, started)) return;
  for (std::size_t begin = 0; begin < pieces.total; begin += chunk) {
    ChunkSum<T, kPiecesPerThread> sums;
    sums.load(inputs, pieces, begin + lane, lanes, begin + chunk <= pieces.vectors);
    if (in_place) {
      __syncthreads();
      publish_to_peer<cuda::memory_order_release>(arguments, Barrier::end, ++finished);
      if (!wait_for_peers(arguments, Barrier::end, finished)) return;
    }
    sums.store(output, pieces, begin + lane, lanes);
  }
  if (!in_place) {
    __syncthreads();
    publish_to_peer<cuda::memory_order_relaxed>(arguments, Barrier::end, ++finished);
    if (!wait_for_peers(arguments, Barrier::end, finished)) return;
  }
  if (threadIdx.x == 0) {
    counts.started = started;
    counts.finished = finished;
  }
}

}  // namespace

int pull_blocks(std::size_t bytes, int max_blocks) {
  constexpr std::size_t kBytesPerBlock = std::size_t{kPullThreads} * 16;
  const std::size_t wanted = (bytes + kBytesPerBlock - 1) / kBytesPerBlock;
  const std::size_t limit =
      static_cast<std::size_t>(max_blocks < kPullMaxBlocks ? max_blocks : kPullMaxBlocks);
  return static_cast<int>(wanted < 1 ? 1 : wanted > limit ? limit : wanted);
}

cudaError_t launch_custom_pull(Element element, const PullArguments& arguments, int blocks,
                               cudaStream_t stream) {
  return with_element_and_ranks(element, arguments.ranks, [&]<typename T, int Ranks>() {
    return launch(custom_pull<T, Ranks>, {.blocks = blocks, .threads = kPullThreads}, arguments, stream);
  });
}

}  // namespace ringside::kernels
