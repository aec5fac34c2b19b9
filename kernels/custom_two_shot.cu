// Two-shot allreduce that pushes: the message is cut into one share for each rank. Every rank sends to each
// peer that peer's share of its message, takes the packets with its own share out of its slots, sums, and
// stores the sums to its own output and straight to all peers'.
//
// The packets are bare ones. Why none is lost, overwritten or seen twice: see push.cuh; there are as many
// packets to each peer as a share has vectors, at least one, also where the share goes over the message's
// end.
//
// Stores to a peer's output. They may not come before the peer has begun this call, as its output belonged to
// earlier work till then: every one carries a sum with a packet in it that the peer sent in this call. In
// place the peer still reads its input, which is the output: what is stored is the sum of the very elements,
// which the peer had read when it sent them.
//
// Notices. When a block has stored all its sums (__syncthreads), one thread for each peer puts a packet
// without content into a slot kept for this block, behind a release fence at system scope; the barrier
// hands it the stores of the whole block. The peer's block of the same number waits for it, with an acquire
// fence behind, and leaves the slot empty like any other. So when a kernel is complete, the blocks of all
// peers have said that the sums are in this rank's output. That is why all ranks give a call the same number
// of blocks; it may change from call to call.
//
// What a rank may do next. It waits for no one who reads its input (peers read packets only), and no peer
// stores to its output again before it has begun the next call.
#include "kernels/custom_two_shot.hpp"

#include "kernels/push.cuh"
#include "kernels/shape.hpp"

namespace ringside::kernels {
namespace {

__device__ void release_to_system() {
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
}
__device__ void acquire_from_system() {
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
}

// Tells the peer that this block's sums are in its output, and waits until it says so too.
__device__ bool exchange_notices(int4* theirs, int4* mine, const WaitGuard& guard) {
  if constexpr (kPlantedBug != PlantedBug::no_release) {
    release_to_system();
  }
  put(theirs, make_int4(0, 0, 0, 0));
  if (!poll_until([&] { return BarePacket::has_come(look(mine), 0); }, guard)) return false;
  acquire_from_system();
  empty(mine);
  return true;
}

template <typename T, int Ranks>
struct TwoShotCall : PushCall<T, Ranks> {
  void* outputs[Ranks - 1];  // the peers'
  std::uint32_t share;       // vectors
  std::uint32_t notices;     // place of the first one in a row

  TwoShotCall(const TwoShotArguments& arguments, const LaunchShape& shape)
      : PushCall<T, Ranks>(arguments.packets, shape),
        share((this->message.vectors() + Ranks - 1) / Ranks),
        notices(static_cast<std::uint32_t>(arguments.packets.slots.row_bytes / sizeof(int4) -
                                           kTwoShotMaxBlocks)) {
    for (int p = 0; p < Ranks - 1; ++p) outputs[p] = arguments.outputs[p < this->rank ? p : p + 1];
  }
};

template <typename T, int Ranks>
__global__ void __launch_bounds__(max_threads(Ranks), promised_blocks(Ranks))
    custom_two_shot(const __grid_constant__ TwoShotCall<T, Ranks> call) {
  const Message<T>& message = call.message;
  const PeerRows<Ranks>& rows = call.rows;
  const std::uint32_t threads = gridDim.x * blockDim.x;
  const std::uint32_t begin = static_cast<std::uint32_t>(call.rank) * call.share;
  std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;

  let_next_kernel_start();
  wait_for_kernel_before();
  const std::uint32_t calls = call.counter.calls_before();
  const std::uint32_t half = rows.half(calls);
  const auto send_shares = [&](std::uint32_t at) {
    int4 vectors[Ranks - 1];
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) {
      vectors[p] = message.load(static_cast<std::uint32_t>(p < call.rank ? p : p + 1) * call.share + at);
    }
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) send<BarePacket>(rows.outgoing[p], half, at, vectors[p], calls);
  };
  if (number < call.share) send_shares(number);
  __syncthreads();
  if (threadIdx.x == 0) call.counter.add_share_of_block();

  bool good = true;
  for (; good && number < call.share; number += threads) {
    const int4 own = message.load(begin + number);
    if (number + threads < call.share) send_shares(number + threads);
    int4 others[Ranks - 1];
    good = take<BarePacket>(rows, half, number, calls, call.rank, call.guard, others);
    if (!good) break;
    dawdle();
    if (begin + number < message.vectors()) {
      const int4 sum = sum_in_rank_order<T, Ranks>(call.rank, own, others);
      message.store(begin + number, sum);
#pragma unroll
      for (int p = 0; p < Ranks - 1; ++p) message.store(call.outputs[p], begin + number, sum);
    }
    leave_empty<BarePacket>(rows, half, number);
  }
  if constexpr (kPlantedBug != PlantedBug::no_release) good = __syncthreads_and(good);
  if (!good) return;
  const std::uint32_t notice = half + call.notices + blockIdx.x;
#pragma unroll
  for (int p = 0; p < Ranks - 1; ++p) {
    if (threadIdx.x != p) continue;
    if (exchange_notices(rows.outgoing[p] + notice, rows.incoming[p] + notice, call.guard)) continue;
    record_failure(call.guard, p < call.rank ? p : p + 1, WaitPlace::gather, calls + 1, calls);
  }
}

}  // namespace

std::size_t two_shot_row_bytes(std::size_t bytes, int ranks) {
  const std::size_t vectors = (bytes + 15) / 16;
  const std::size_t share = (vectors + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
  return rounded_row((share + kTwoShotMaxBlocks) * 16);
}

LaunchShape two_shot_shape(std::size_t bytes, int ranks, int multiprocessors) {
  const std::size_t share = (bytes + 15) / 16 / static_cast<std::size_t>(ranks) + 1;
  return shape_for_vectors(share, ranks, multiprocessors);
}

cudaError_t launch_custom_two_shot(Element element, const TwoShotArguments& arguments,
                                   const LaunchShape& shape, cudaStream_t stream) {
  if (arguments.packets.count == 0) return cudaSuccess;
  return with_element_and_ranks(element, arguments.packets.slots.ranks, [&]<typename T, int Ranks>() {
    return launch(custom_two_shot<T, Ranks>, shape, TwoShotCall<T, Ranks>(arguments, shape), stream);
  });
}

}  // namespace ringside::kernels
