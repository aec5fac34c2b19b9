#pragma once

#include "kernels/element.hpp"
#include "kernels/packet_slots.hpp"

namespace ringside::kernels {

// The row that a message of `bytes` needs at each peer.
std::size_t push_row_bytes(std::size_t bytes);

// A shape that suits a message of `bytes` on a GPU with `multiprocessors`.
LaunchShape push_shape(std::size_t bytes, int ranks, int multiprocessors);

// Enqueues one allreduce: every rank stores its message into all peers' slots. All blocks of the shape
// must fit on the GPU at once; the shape may differ between calls and between ranks. Returns the launch's
// error.
cudaError_t launch_custom_push(Element element, const PacketArguments& arguments, const LaunchShape& shape,
                               cudaStream_t stream);

}  // namespace ringside::kernels
