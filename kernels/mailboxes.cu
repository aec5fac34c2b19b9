#include "kernels/mailboxes.hpp"

#include "kernels/mailboxes.cuh"

namespace ringside::kernels {
namespace {

// There is one counter; a build with a planted bug uses more.
__global__ void set_counters(std::uint64_t* counters, std::uint32_t calls) {
  counters[threadIdx.x] = std::uint64_t{calls} << 32;
}

}  // namespace

std::size_t rounded_slot(std::size_t bytes) {
  constexpr std::size_t kLine = 256;
  return (bytes + kLine - 1) / kLine * kLine;
}

std::size_t mailbox_memory_bytes(int ranks, std::size_t slot_bytes) {
  return kMailboxHeader + 2 * static_cast<std::size_t>(ranks - 1) * slot_bytes;
}

cudaError_t clear_mailboxes(const Mailboxes& boxes, std::uint32_t calls, cudaStream_t stream) {
  std::byte* const own = boxes.memory[boxes.rank];
  const std::size_t bytes = mailbox_memory_bytes(boxes.ranks, boxes.slot_bytes);
  cudaError_t status = cudaMemsetAsync(own + kMailboxHeader, 0xff, bytes - kMailboxHeader, stream);
  if (status == cudaSuccess) status = set_calls(boxes, calls, stream);
  return status;
}

cudaError_t set_calls(const Mailboxes& boxes, std::uint32_t calls, cudaStream_t stream) {
  set_counters<<<1, kMailboxHeader / sizeof(std::uint64_t), 0, stream>>>(
      reinterpret_cast<std::uint64_t*>(boxes.memory[boxes.rank]), calls);
  return cudaGetLastError();
}

}  // namespace ringside::kernels
