#pragma once

#include "kernels/launch.cuh"
#include "kernels/message.cuh"
#include "kernels/packets.cuh"
#include "kernels/shape.hpp"

namespace ringside::kernels {

// The one-shot push, with either kind of packet: every rank sends its message to all peers, takes theirs out
// of its own slots and sums.
//
// Emptying. The thread that has taken a packet stores all ones to the same slot. Both accesses are its own
// and to the same address, so its store comes after the peer's in the order of that location: the packet
// can't come back.
//
// Reuse. Calls use the two halves of the slots in turn, so call t of rank A sends into the half that its
// call t - 2 used. It begins when call t - 1 of A is complete; that one has taken a packet from every peer B
// (a message has at least one); B sent it in its own call t - 1, which began when call t - 2 of B was
// complete. So whatever B emptied in call t - 2 is in B's memory before A stores there again. This speaks of
// whole kernels of a stream and of slots, and not of who fills or empties which: it holds when sizes,
// element types, grids and the place of an element in the message change from call to call, in graphs and
// between them. One half would not do: B may still be taking packets of call t - 1 when A begins call t. With
// dependent launch a kernel touches memory only behind its wait for the kernel before, so "begins" and "is
// complete" mean the same.
//
// Which half is told by the CallCounter, which every warp reads beside its input.
//
// Progress. A thread sends the next vector of its share before it waits for the one at hand, so the link has
// work while it waits; and it waits for no vector before it has sent all up to the same place in its own
// share. So the lowest packet of the message that is missing anywhere has nothing before it to wait for, and
// all packets come, as long as all blocks are on the GPU. Shapes need not agree between ranks. A peer that
// makes no call at all is what the guard is for.
template <typename T, int Ranks>
struct PushCall {
  Message<T> message;
  PeerRows<Ranks> rows;
  CallCounter counter;
  int rank;
  WaitGuard guard;

  PushCall(const PacketArguments& arguments, const LaunchShape& shape)
      : message(arguments.input, arguments.output, arguments.count),
        rows(arguments.slots),
        counter(arguments.slots, shape.blocks),
        rank(arguments.slots.rank),
        guard(arguments.guard) {}
};

// How far a call goes; each stage with those before it. Only `all` is an allreduce: the others show where its
// time goes.
enum class PushStages {
  none,   // an empty kernel
  local,  // reads the counter and its input, stores its output
  send,   // sends its packets
  all     // takes the peers' packets and sums
};

template <typename Packet, PushStages Last = PushStages::all, typename T, int Ranks>
__device__ void push(const PushCall<T, Ranks>& call) {
  if constexpr (Last == PushStages::none) return;
  const Message<T>& message = call.message;
  const PeerRows<Ranks>& rows = call.rows;
  const std::uint32_t threads = gridDim.x * blockDim.x;
  std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;

  let_next_kernel_start();
  wait_for_kernel_before();
  int4 own = message.load(number);
  const std::uint32_t calls = call.counter.calls_before();
  const std::uint32_t half = rows.half(calls);
  const auto send_to_all = [&](std::uint32_t at, int4 vector) {
    if constexpr (Last >= PushStages::send) {
#pragma unroll
      for (int p = 0; p < Ranks - 1; ++p) send<Packet>(rows.outgoing[p], half, at, vector, calls);
    }
  };
  if (number < message.vectors()) send_to_all(number, own);
  __syncthreads();
  if (threadIdx.x == 0) call.counter.add_share_of_block();

  dawdle();
  while (number < message.vectors()) {
    const std::uint32_t next = number + threads;
    int4 next_own;
    if (next < message.vectors()) {
      next_own = message.load(next);
      send_to_all(next, next_own);
    }
    if constexpr (Last == PushStages::all) {
      int4 others[Ranks - 1];
      if (!take<Packet>(rows, half, number, calls, call.rank, call.guard, others)) return;
      message.store(number, sum_in_rank_order<T, Ranks>(call.rank, own, others));
      leave_empty<Packet>(rows, half, number);
    } else {
      message.store(number, own);
    }
    own = next_own;
    number = next;
  }
}

}  // namespace ringside::kernels
