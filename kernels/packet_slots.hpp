#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/wait.hpp"

namespace ringside::kernels {

inline constexpr int kMaxPacketRanks = 8;

// The scratch memory of the push kernels. Each rank has a counter of calls and two halves, which calls use in
// turn; a half has a row for every peer, into which that peer alone writes. A row holds 16-byte
// slots. A slot whose bits are all ones is empty; whoever takes a packet out leaves it empty.
struct PacketSlots {
  std::byte* memory[kMaxPacketRanks] = {};  // each rank's, as this GPU reaches it; aligned to 256 bytes
  std::size_t row_bytes = 0;                // see rounded_row()
  int rank = 0;
  int ranks = 0;
};

// `bytes` rounded up to what a row can have.
std::size_t rounded_row(std::size_t bytes);

// The memory that each rank needs.
std::size_t slot_memory_bytes(int ranks, std::size_t row_bytes);

// Enqueues what makes this rank's own memory ready: all slots empty, `calls` calls made before (the same
// on all ranks; any number will do). No peer may make a call before all ranks have done this.
cudaError_t clear_slots(const PacketSlots& slots, std::uint32_t calls, cudaStream_t stream);

// Enqueues: `calls` calls have been made. On all ranks, while none has a call under way; slots stay as
// they are.
cudaError_t set_calls(const PacketSlots& slots, std::uint32_t calls, cudaStream_t stream);

// One allreduce (sum) of `count` elements through slots. All ranks make the same calls with the same
// count and element type in the same order; input and output may have any alignment, and may be the same.
struct PacketArguments {
  PacketSlots slots;
  const void* input = nullptr;  // own
  void* output = nullptr;       // own
  std::size_t count = 0;
  WaitGuard guard;
};

// How a call is spread over the GPU. `dependent`: programmatic dependent launch; the kernel may then be set
// up while the one before it still runs, but touches no memory before that one is complete.
struct LaunchShape {
  int blocks = 1;
  int threads = 32;
  bool dependent = false;
};

}  // namespace ringside::kernels
