#pragma once

#include <map>
#include <optional>

#include "device/cuda/cuda_device.hpp"
#include "device/repetitions.hpp"

namespace ringside {

// Measures what the link can do at best; each number once, then it is remembered. A companion of the device.
class LinkProbe {
 public:
  explicit LinkProbe(CudaDevice& device) : device_(device) {}

  // Collective.
  LinkLimits limits(Bytes message);

 private:
  // Where the two ranks of a pair have the flags that are written to them: of kProbePlaces.
  struct Places {
    int starter = 0;  // the lower rank's
    int other = 0;
  };

  // One way, of the pair of ranks that is farthest apart, each with its flag at the fastest place.
  Fastest measure_latency();
  Fastest latency_to(int peer);
  int fastest_place(int peer, Places places, int Places::*varied);
  std::vector<double> one_way_ns(int peer, Places places, int trains);
  double measure_node_gap_ns();  // the mean in a graph of empty nodes

  CudaDevice& device_;
  PinnedMemory elapsed_{sizeof(std::uint64_t)};  // of the last ping-pong, in ns
  std::uint32_t probe_count_ = 0;                // flags of the probe board have been raised up to here
  std::optional<Fastest> latency_;
  std::optional<double> node_gap_ns_;
  std::map<std::size_t, Fastest> transfers_;  // ns per byte, by the bytes of a transfer to one peer
};

}  // namespace ringside
