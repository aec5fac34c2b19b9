#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/row.hpp"

namespace ringside {

// A machine that is only described (scenarios/machines/*.toml): what the model device computes with.
struct MachineProfile {
  std::string name;
  std::string title;              // one line for people
  int ranks = 0;                  // GPUs (or processes) it has
  std::string link;               // "NVLink 4, 18 links", "PCIe 5.0 x16"
  double one_way_latency_ns = 0;  // a flag from one rank to another
  double bandwidth_gbps = 0;      // one direction of one rank while all pairs talk
  double call_overhead_ns = 0;    // per collective: launch gap inside a graph, or the loop on a host
  double step_overhead_ns =
      0;  // per dependent step of an algorithm beside the latency: synchronisation, chunking
  double local_bandwidth_gbps = 0;  // a rank's own memory, read plus written
  Origin origin = Origin::assumed;
  std::string source;  // where the figures come from
};

}  // namespace ringside
