#pragma once

#include <cstdint>

#include "device/host/host_device.hpp"
#include "device/repetitions.hpp"

namespace ringside {

// Flags of a pair of ranks lie at many places: a cache line has its home in one slice of the last cache, near
// the two cores or far from them.
inline constexpr int kPingPlaces = 16;

// One way of a flag from rank to rank, in ns: neighbours on the ring of ranks exchange flags, one pair at a
// time, each rank with its flag at the place that is fastest. Each rank takes the better of its two
// neighbours, and the slowest rank counts, because a collective is not done before every rank has heard of
// another. `first_channel`: of kPingPlaces that nothing else uses. `pings`: where the channels' counters
// stand; moved on. Collective, for two ranks or more.
Fastest measure_latency(HostDevice& device, const PeerFlags& flags, int first_channel, std::uint64_t& pings);

// Memory of a rank for measure_fresh_sum(): an input and an output.
struct SumBlock {
  std::size_t bytes = 0;  // of each
  std::byte* input = nullptr;
  std::byte* output = nullptr;
};
SumBlock allocate_sum_block(Arena& arena, Bytes message);
std::size_t sum_bytes(Bytes message);  // SumBlock::bytes

// Nanoseconds per byte of sums of fresh data: each rank has just written its whole input and read its whole
// output, so that the cache lines are its core's; then the ranks add up, all at once and without a word to
// each other, in the fastest of the ways that an allreduce has at least. One-shot: a rank reads every input
// and writes its own output. Two-shot: it reads its part of every input and writes that part of every output,
// through the caches or around them. Counted are the bytes that a two-shot rank takes in and sends:
// 2(n-1)/n of the message. Messages below 64 KiB are measured as such of 64 KiB: the time until the first
// line is there belongs to the latency. Collective, for two ranks or more.
Fastest measure_fresh_sum(HostDevice& device, Bytes message);

}  // namespace ringside
