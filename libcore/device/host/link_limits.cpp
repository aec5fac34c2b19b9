#include "device/host/link_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include "device/host/reduction.hpp"

namespace ringside {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// The largest of the ranks' values.
double slowest(Bootstrap& bootstrap, double mine) {
  const std::string_view bytes(reinterpret_cast<const char*>(&mine), sizeof mine);
  double largest = mine;
  for (const std::string& theirs : bootstrap.all_gather(bytes)) {
    double value = 0;
    std::memcpy(&value, theirs.data(), sizeof value);
    largest = std::max(largest, value);
  }
  return largest;
}

// Both ranks post, then both wait: a round is one way of a flag, and what every collective has to do at
// least.
double time_rounds(const PeerFlags& flags, int channel, int peer, int rounds, std::uint64_t& pings) {
  const Clock::time_point start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
    ++pings;
    flags.post(channel, peer, pings);
    flags.wait(channel, peer, pings);
  }
  return ns_since(start) / rounds;
}

}  // namespace

double measure_latency(HostDevice& device, const PeerFlags& flags, int channel, std::uint64_t& pings) {
  constexpr int kTrains = 40;
  const int rounds = device.crowded() ? 20 : 200;
  const int ranks = device.ranks();
  const int edges = ranks == 2 ? 1 : ranks;
  double best = std::numeric_limits<double>::infinity();
  const std::uint64_t first = pings;
  for (int edge = 0; edge < edges; ++edge) {
    const int right = (edge + 1) % ranks;
    pings = first + static_cast<std::uint64_t>(edge) * kTrains * static_cast<std::uint64_t>(rounds);
    if (device.rank() == edge || device.rank() == right) {
      const int peer = device.rank() == edge ? right : edge;
      for (int train = 0; train < kTrains; ++train) {
        best = std::min(best, time_rounds(flags, channel, peer, rounds, pings));
      }
    }
    device.bootstrap().barrier();  // the others sleep there and leave the cores alone
  }
  pings = first + static_cast<std::uint64_t>(edges) * kTrains * static_cast<std::uint64_t>(rounds);
  return slowest(device.bootstrap(), best);
}

double measure_read_bandwidth(HostDevice& device, const std::byte* peer_memory, std::size_t bytes) {
  constexpr int kSamples = 20;
  constexpr std::size_t kBytesPerSample = std::size_t{4} << 20;
  const std::size_t reads = std::clamp<std::size_t>(kBytesPerSample / bytes, 1, 1000);
  double best = std::numeric_limits<double>::infinity();
  std::uint64_t sink = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    device.barrier();
    const Clock::time_point start = Clock::now();
    for (std::size_t read = 0; read < reads; ++read) sink ^= read_through(peer_memory, bytes);
    best = std::min(best, ns_since(start) / static_cast<double>(reads));
  }
  volatile std::uint64_t kept = sink;  // the reads have a purpose
  static_cast<void>(kept);
  return static_cast<double>(bytes) / slowest(device.bootstrap(), best);
}

}  // namespace ringside
