#include "kernels/packet_slots.hpp"

#include "kernels/packet_slots.cuh"

namespace ringside::kernels {
namespace {

// There is one counter; a build with a planted bug uses more.
__global__ void set_counters(std::uint64_t* counters, std::uint32_t calls) {
  counters[threadIdx.x] = std::uint64_t{calls} << 32;
}

}  // namespace

std::size_t rounded_row(std::size_t bytes) {
  constexpr std::size_t kLine = 256;
  return (bytes + kLine - 1) / kLine * kLine;
}

std::size_t slot_memory_bytes(int ranks, std::size_t row_bytes) {
  return kSlotHeader + 2 * static_cast<std::size_t>(ranks - 1) * row_bytes;
}

cudaError_t clear_slots(const PacketSlots& slots, std::uint32_t calls, cudaStream_t stream) {
  std::byte* const own = slots.memory[slots.rank];
  const std::size_t bytes = slot_memory_bytes(slots.ranks, slots.row_bytes);
  cudaError_t status = cudaMemsetAsync(own + kSlotHeader, 0xff, bytes - kSlotHeader, stream);
  if (status == cudaSuccess) status = set_calls(slots, calls, stream);
  return status;
}

cudaError_t set_calls(const PacketSlots& slots, std::uint32_t calls, cudaStream_t stream) {
  set_counters<<<1, kSlotHeader / sizeof(std::uint64_t), 0, stream>>>(
      reinterpret_cast<std::uint64_t*>(slots.memory[slots.rank]), calls);
  return cudaGetLastError();
}

}  // namespace ringside::kernels
