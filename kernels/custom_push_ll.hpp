#pragma once

#include "kernels/element.hpp"
#include "kernels/mailboxes.hpp"

namespace ringside::kernels {

// The slot that a message of `bytes` needs at each peer: twice its size.
std::size_t push_ll_slot_bytes(std::size_t bytes);

// A shape that suits a message of `bytes` on a GPU with `multiprocessors`.
LaunchShape push_ll_shape(std::size_t bytes, int ranks, int multiprocessors);

// Enqueues one allreduce: as launch_custom_push(), but half of every mailbox is flags.
cudaError_t launch_custom_push_ll(Element element, const MailArguments& arguments, const LaunchShape& shape,
                                  cudaStream_t stream);

}  // namespace ringside::kernels
