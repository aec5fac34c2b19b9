#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/device_barrier.hpp"

namespace ringside::kernels {

// Enqueues a kernel of one thread that sends a count to `peer` and back `rounds` times; `starts` says who of
// the two sends first. Counts begin behind `base`, the same on both. The starter stores the time of all
// rounds in ns in *elapsed_ns, the other one 0. The flags are those of the board, which nothing else may use
// meanwhile.
void launch_ping_pong(const FlagBoard& board, int peer, bool starts, std::uint32_t base, std::uint32_t rounds,
                      const WaitGuard& guard, std::uint64_t* elapsed_ns, cudaStream_t stream);

enum class LinkDirection { store, load };

// The memory of peers that one transfer kernel touches, at one place on each of them.
struct PeerBuffers {
  std::byte* data[kMaxRanks] = {};
  int peers = 0;
};

// How a transfer kernel is launched, and how many vectors of 16 bytes each of its threads has under way.
struct TransferShape {
  int blocks = 1;
  int threads = 1024;  // 1024 at most
  int unroll = 4;      // 1, 4 or 8
};

// Enqueues a kernel that stores to, or loads from, `bytes_per_peer` (a multiple of 16) of each peer's buffer,
// `passes` times over, all peers at once.
void launch_transfer(LinkDirection direction, const PeerBuffers& buffers, std::size_t bytes_per_peer,
                     int passes, const TransferShape& shape, cudaStream_t stream);

}  // namespace ringside::kernels
