#pragma once

#include "kernels/element.hpp"
#include "kernels/mailboxes.hpp"

namespace ringside::kernels {

// The slot that a message of `bytes` needs at each peer: twice its size.
std::size_t push_ll_slot_bytes(std::size_t bytes);

// Enqueues one allreduce: as launch_custom_push(), of shapes as from push_shape(), but half of every mailbox
// is flags.
cudaError_t launch_custom_push_ll(Element element, const MailArguments& arguments, const LaunchShape& shape,
                                  cudaStream_t stream);

}  // namespace ringside::kernels
