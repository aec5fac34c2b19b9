#pragma once

#include <map>
#include <optional>

#include "device/cuda/cuda_device.hpp"

namespace ringside {

// Memory that peers write to and read while the bandwidth is measured: a part for each of them.
struct ProbeBlock {
  std::size_t per_peer = 0;  // bytes
  std::byte* data = nullptr;
};
ProbeBlock allocate_probe_block(Arena& arena, Bytes message);

// Measures what the link can do at best; each number once, then it is remembered. A companion of the device.
class LinkProbe {
 public:
  explicit LinkProbe(CudaDevice& device) : device_(device) {}

  // Collective.
  LinkLimits limits(Bytes message);

 private:
  // Of the pair of ranks that is farthest apart, at the place in the middle of kProbePlaces: the packets of a
  // message lie near and far.
  double measure_latency_ns();
  double one_way_ns(int peer, int place);
  double measure_node_gap_ns();  // the mean in a graph of empty nodes
  double measure_bandwidth_gbps(Bytes message);

  CudaDevice& device_;
  PinnedMemory elapsed_{sizeof(std::uint64_t)};  // of the last ping-pong, in ns
  std::uint32_t probe_count_ = 0;                // flags of the probe board have been raised up to here
  std::optional<double> latency_ns_;
  std::optional<double> node_gap_ns_;
  std::map<Bytes, double> bandwidth_gbps_;
};

}  // namespace ringside
