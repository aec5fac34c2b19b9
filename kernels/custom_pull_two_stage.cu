// Two-stage allreduce that pulls: the message is cut into one share for each rank. Every rank loads its share
// of all peers' messages, sums it and keeps the sums; then it loads the sums of all shares from their owners.
// What vLLM's and SGLang's two-stage kernels do.
//
// Work is cut the same way on all ranks: block b handles the same places of every share, so it needs to meet
// only the blocks b of its peers. They meet twice, by the counts of custom_pull.
//
// Start. As in custom_pull: a peer's input is there when its block has begun this call.
//
// Between the stages. A block stores its sums, then publishes "finished" with a release behind __syncthreads,
// which hands it the stores and loads of the whole block. The peer's block waits for it with an acquire
// before it loads the sums.
//
// What a rank may do next. When its block has met the peers' blocks between the stages, they have read its
// input, so the input may be overwritten, and in place it is: stage two stores at places of the message that
// these very blocks have read. Sums that a slow peer still loads in its second stage are not overwritten
// before it has begun its next call: a rank stores sums behind the start of a call only, and a peer begins a
// call when its kernel before has ended, as kernels of a stream do unless they are launched as dependent.
// This one is not.
#include "kernels/launch.cuh"
#include "kernels/pull.cuh"
#include "kernels/sum.cuh"

namespace ringside::kernels {
namespace {

constexpr int kPiecesPerThread = 4;

// A share of a message: pieces, and the first one's element.
struct Share {
  Pieces pieces;
  std::size_t element;
};

// `share`: pieces of each, but for the last ones.
template <typename T>
__device__ Share share_of(const Pieces& message, std::size_t share, int rank) {
  const auto at_most = [&](std::size_t piece) { return piece < message.total ? piece : message.total; };
  const std::size_t begin = at_most(share * static_cast<std::size_t>(rank));
  const std::size_t end = at_most(begin + share);
  const auto vectors_before = [&](std::size_t piece) {
    return piece < message.vectors ? piece : message.vectors;
  };
  const std::size_t vectors = vectors_before(begin);
  return {{vectors_before(end) - vectors, end - begin}, vectors * Vector<T>::kElements + (begin - vectors)};
}

// Several loads at once. The sums are a peer's: not to be taken from a cache of an earlier call, and the
// acquire before has seen to that.
template <typename T>
__device__ void copy_share(T* target, const T* source, const Pieces& pieces, std::size_t first,
                           std::size_t lanes) {
  std::size_t piece = first;
  for (; piece + (kPiecesPerThread - 1) * lanes < pieces.vectors; piece += kPiecesPerThread * lanes) {
    int4 values[kPiecesPerThread];
#pragma unroll
    for (int p = 0; p < kPiecesPerThread; ++p)
      values[p] = reinterpret_cast<const int4*>(source)[piece + p * lanes];
#pragma unroll
    for (int p = 0; p < kPiecesPerThread; ++p) reinterpret_cast<int4*>(target)[piece + p * lanes] = values[p];
  }
  for (; piece < pieces.total; piece += lanes) {
    if (piece < pieces.vectors) {
      reinterpret_cast<int4*>(target)[piece] = reinterpret_cast<const int4*>(source)[piece];
    } else {
      const std::size_t element = pieces.vectors * Vector<T>::kElements + (piece - pieces.vectors);
      target[element] = source[element];
    }
  }
}

template <typename T, int Ranks>
__global__ void __launch_bounds__(kPullThreads)
    custom_pull_two_stage(const __grid_constant__ PullArguments arguments) {
  auto& counts = arguments.states[arguments.rank]->counts[blockIdx.x];
  const std::uint32_t started = counts.started + 1;
  publish_to_peer<cuda::memory_order_relaxed>(arguments, Barrier::start, started);
  const std::uint32_t finished = counts.finished + 1;

  T* const output = static_cast<T*>(arguments.output);
  const Pieces message = cut<T>(arguments.count, arguments.inputs[arguments.rank], output);
  const std::size_t share = (message.total + Ranks - 1) / Ranks;
  const std::size_t lanes = std::size_t{gridDim.x} * kPullThreads;
  const std::size_t chunk = lanes * kPiecesPerThread;
  const std::size_t lane = std::size_t{blockIdx.x} * kPullThreads + threadIdx.x;

  const Share mine = share_of<T>(message, share, arguments.rank);
  const T* inputs[Ranks];
#pragma unroll
  for (int r = 0; r < Ranks; ++r) inputs[r] = static_cast<const T*>(arguments.inputs[r]) + mine.element;
  T* const sums_of_mine = static_cast<T*>(arguments.sums[arguments.rank]);

  if (!wait_for_peers(arguments, Barrier::start, started)) return;
  for (std::size_t begin = 0; begin < mine.pieces.total; begin += chunk) {
    ChunkSum<T, kPiecesPerThread> sums;
    sums.load(inputs, mine.pieces, begin + lane, lanes, begin + chunk <= mine.pieces.vectors);
    sums.store(sums_of_mine, mine.pieces, begin + lane, lanes);
  }
  __syncthreads();
  publish_to_peer<cuda::memory_order_release>(arguments, Barrier::end, finished);
  if (!wait_for_peers(arguments, Barrier::end, finished)) return;
#pragma unroll 1
  for (int step = 0; step < Ranks; ++step) {
    const int owner = (arguments.rank + step) % Ranks;  // not all at one
    const Share theirs = share_of<T>(message, share, owner);
    copy_share(output + theirs.element, static_cast<const T*>(arguments.sums[owner]), theirs.pieces, lane,
               lanes);
  }
  if (threadIdx.x == 0) {
    counts.started = started;
    counts.finished = finished;
  }
}

}  // namespace

// A share has as many pieces as its owner sums: vectors, and at most 7 single elements behind the last of
// all.
std::size_t pull_sums_bytes(std::size_t bytes, int ranks) {
  const std::size_t pieces = bytes / 16 + 7;
  return (pieces / static_cast<std::size_t>(ranks) + 1) * 16;
}

cudaError_t launch_custom_pull_two_stage(Element element, const PullArguments& arguments, int blocks,
                                         cudaStream_t stream) {
  return with_element_and_ranks(element, arguments.ranks, [&]<typename T, int Ranks>() {
    return launch(custom_pull_two_stage<T, Ranks>, {.blocks = blocks, .threads = kPullThreads}, arguments,
                  stream);
  });
}

}  // namespace ringside::kernels
