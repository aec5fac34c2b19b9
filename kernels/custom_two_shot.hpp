#pragma once

#include "kernels/element.hpp"
#include "kernels/packet_slots.hpp"

namespace ringside::kernels {

inline constexpr int kTwoShotMaxBlocks = 512;

struct TwoShotArguments {
  PacketArguments packets;
  // Each rank's output as this GPU reaches it; outputs[rank] is the own one. Aligned alike.
  void* outputs[kMaxPacketRanks] = {};
};

// The row that a message of `bytes` needs at each peer.
std::size_t two_shot_row_bytes(std::size_t bytes, int ranks);

// A shape that suits a message of `bytes` on a GPU with `multiprocessors`.
LaunchShape two_shot_shape(std::size_t bytes, int ranks, int multiprocessors);

// Enqueues one allreduce: each rank sums its share of the message and stores the sums to all outputs. All
// blocks of the shape must fit on the GPU at once; all ranks give a call the same shape. Returns the launch's
// error.
cudaError_t launch_custom_two_shot(Element element, const TwoShotArguments& arguments,
                                   const LaunchShape& shape, cudaStream_t stream);

}  // namespace ringside::kernels
