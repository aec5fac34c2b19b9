#pragma once

#include "device/cuda/cuda_device.hpp"
#include "device/repetitions.hpp"

namespace ringside {

// Memory that peers write to and read while the bandwidth is measured: a part for each of them.
struct ProbeBlock {
  std::size_t per_peer = 0;  // bytes
  std::byte* data = nullptr;
};
ProbeBlock allocate_probe_block(Arena& arena, Bytes message);

// What a rank sends to each peer while a message of this size is measured. Shorter ones stand for no more
// than one SM can send: they get the link's rate with what keeps all SMs at work.
std::size_t transfer_bytes(int ranks, Bytes message);

// Nanoseconds per byte that a rank sends or takes in, all ranks doing so at once, in whatever way is fastest:
// stores or loads, by 1 to all SMs, with 256 to 1024 threads a block, and 1 to 8 vectors of a thread under
// way. One after the other is varied, which takes some tens of milliseconds. Graphs of several nodes; the
// gaps between nodes are subtracted. Needs every peer's memory within reach, and two ranks or more.
// Collective.
Fastest measure_transfer(CudaDevice& device, Bytes message, double node_gap_ns);

}  // namespace ringside
