// The one-shot pull allreduce of custom_pull.cu over NCCL's device API: NCCL maps the peers' memory
// (ncclGetLsaPointer) and its barrier (ncclLsaBarrierSession) takes the place of our flags.
//
// Block b of each rank handles the same elements and meets the blocks b of its peers in barrier b. The first
// barrier only acquires: earlier work of each stream has brought the inputs to where peers read them. The
// last one says that no peer reads this input any more. Out of place the sums are stored before it, so the
// loads are done and arriving need not release; in place every chunk is stored behind a barrier of its own,
// which does. See custom_pull.cu for the arguments. Barrier states live in NCCL's memory and go on from call
// to call, so graphs can be replayed for ever.
//
// NCCL's own wait has no limit. Ours polls the same inboxes, within the guard's, and counts the same epoch.
#include "kernels/symmetric_lsa.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <nccl_device.h>
#pragma GCC diagnostic pop

#include "kernels/sum.cuh"
#include "kernels/wait.cuh"

namespace ringside::kernels {
namespace {

constexpr int kThreads = 512;
constexpr int kPiecesPerThread = 4;

// Stands for barrier.wait(): acquires what the peers' arrivals have released. True in all threads when all
// have arrived.
__device__ bool wait_for_arrivals(ncclLsaBarrierSession<ncclCoopCta>& barrier, const WaitGuard& guard) {
  const int step = static_cast<int>(threadIdx.x);
  bool come = true;
  ++barrier.epoch;
  if (step < barrier.team.nRanks - 1) {
    const int peer = step + (barrier.team.rank <= step ? 1 : 0);
    come = wait_for(barrier.ucInbox(barrier.team.rank, peer), barrier.epoch, peer, WaitPlace::lsa, guard);
  }
  return __syncthreads_and(come);
}

template <typename T, int Ranks>
__global__ void __launch_bounds__(kThreads)
    symmetric_lsa(const __grid_constant__ ncclDevComm comm, const __grid_constant__ LsaArguments arguments) {
  const auto window = static_cast<ncclWindow_t>(arguments.window);
  ncclCoopCta block;
  ncclLsaBarrierSession<ncclCoopCta> barrier(block, comm, ncclTeamTagLsa(), blockIdx.x);
  const T* inputs[Ranks];
#pragma unroll
  for (int r = 0; r < Ranks; ++r) {
    inputs[r] = static_cast<const T*>(ncclGetLsaPointer(window, arguments.input_offset, r));
  }
  T* const output = static_cast<T*>(ncclGetLocalPointer(window, arguments.output_offset));
  const bool in_place = arguments.input_offset == arguments.output_offset;
  // The window is aligned alike on all ranks, so every rank's input is as aligned as its offset.
  const Pieces pieces = cut<T>(arguments.count, inputs[0], output);
  const std::size_t lanes = std::size_t{gridDim.x} * kThreads;
  const std::size_t chunk = lanes * kPiecesPerThread;
  const std::size_t lane = std::size_t{blockIdx.x} * kThreads + threadIdx.x;

  barrier.arrive(block, cuda::memory_order_acquire);
  if (!wait_for_arrivals(barrier, arguments.guard)) return;
  for (std::size_t begin = 0; begin < pieces.total; begin += chunk) {
    ChunkSum<T, kPiecesPerThread> sums;
    sums.load(inputs, pieces, begin + lane, lanes, begin + chunk <= pieces.vectors);
    if (in_place) {
      barrier.arrive(block, cuda::memory_order_release);
      if (!wait_for_arrivals(barrier, arguments.guard)) return;
    }
    sums.store(output, pieces, begin + lane, lanes);
  }
  if (in_place) return;
  barrier.arrive(block, cuda::memory_order_relaxed);
  wait_for_arrivals(barrier, arguments.guard);
}

template <typename T>
void launch(const ncclDevComm& comm, const LsaArguments& arguments, int blocks, cudaStream_t stream) {
  const auto grid = static_cast<unsigned>(blocks);
  const auto run = [&](auto kernel) { kernel<<<grid, kThreads, 0, stream>>>(comm, arguments); };
  switch (arguments.ranks) {
    case 2:
      return run(symmetric_lsa<T, 2>);
    case 3:
      return run(symmetric_lsa<T, 3>);
    case 4:
      return run(symmetric_lsa<T, 4>);
    case 5:
      return run(symmetric_lsa<T, 5>);
    case 6:
      return run(symmetric_lsa<T, 6>);
    case 7:
      return run(symmetric_lsa<T, 7>);
    case 8:
      return run(symmetric_lsa<T, 8>);
    default:
      return;  // not admitted
  }
}

}  // namespace

int lsa_blocks(std::size_t bytes) {
  constexpr std::size_t kBytesPerBlock = std::size_t{kThreads} * 16;
  const std::size_t wanted = (bytes + kBytesPerBlock - 1) / kBytesPerBlock;
  return static_cast<int>(wanted < 1 ? 1 : wanted > kLsaMaxBlocks ? kLsaMaxBlocks : wanted);
}

void launch_symmetric_lsa(Element element, const ncclDevComm& comm, const LsaArguments& arguments, int blocks,
                          cudaStream_t stream) {
  switch (element) {
    case Element::bf16:
      return launch<__nv_bfloat16>(comm, arguments, blocks, stream);
    case Element::fp16:
      return launch<__half>(comm, arguments, blocks, stream);
    case Element::fp32:
      return launch<float>(comm, arguments, blocks, stream);
  }
}

}  // namespace ringside::kernels
