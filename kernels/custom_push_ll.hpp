#pragma once

#include "kernels/element.hpp"
#include "kernels/packet_slots.hpp"

namespace ringside::kernels {

// The row that a message of `bytes` needs at each peer: twice its size.
std::size_t push_ll_row_bytes(std::size_t bytes);

// Enqueues one allreduce: as launch_custom_push(), of shapes as from push_shape(), but half of every slot
// is flags.
cudaError_t launch_custom_push_ll(Element element, const PacketArguments& arguments, const LaunchShape& shape,
                                  cudaStream_t stream);

}  // namespace ringside::kernels
