#pragma once

#include <cstdint>

#include "device/host/host_device.hpp"

namespace ringside {

// One way of a flag from rank to rank, in ns: neighbours on the ring of ranks exchange flags, one pair at a
// time. Each rank takes the better of its two neighbours, and the slowest rank counts, because a collective
// is not done before every rank has heard of another. `pings`: where the channel's counters stand; moved on.
// Collective.
double measure_latency(HostDevice& device, const PeerFlags& flags, int channel, std::uint64_t& pings);

// GB/s at which a rank reads `bytes` (at least 64) of a peer's memory, again and again, while all ranks do
// so. What fits into its cache comes from there. No allreduce of that size is faster: it reads as much and
// writes besides. Collective.
double measure_read_bandwidth(HostDevice& device, const std::byte* peer_memory, std::size_t bytes);

}  // namespace ringside
