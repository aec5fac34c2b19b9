#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/case.hpp"
#include "model/row.hpp"

namespace ringside {

// How one GPU reaches another one's memory.
enum class PeerAccess {
  nvlink,  // loads and stores over NVLink
  pcie,    // over PCIe
  staged,  // through the host's memory: kernels can't reach their peers
};

std::string_view to_string(PeerAccess access);
PeerAccess parse_peer_access(std::string_view text);  // throws UsageError that lists the valid names

// A strategy's time as it was fitted to measurements: alpha + beta x bytes + gamma x sqrt(bytes). A pipeline
// with the best number of chunks has the root: it is what fill and drain cost.
struct FittedCost {
  std::string strategy;
  Collective collective = Collective::allreduce;
  Mode mode = Mode::graph;
  int ranks = 0;
  double alpha_ns = 0;
  double beta_ns_per_byte = 0;
  double gamma_ns_per_root = 0;

  double time_ns(Bytes bytes) const;
};

// How far a machine's estimates of a strategy are from the times that they were fitted to: relative errors.
struct FitError {
  std::string strategy;
  Mode mode = Mode::graph;
  int ranks = 0;
  int sizes = 0;
  double median = 0;  // 0.05: half of the sizes are at most 5 % off
  double worst = 0;
  std::string to;  // "docs/results/2026-11-30-h200x2/default-sweep.json", "NCCL 2.29.2 on 8 x H200 (...)"
};

// A machine that is only described (scenarios/machines/*.toml): what the model device computes with.
struct MachineProfile {
  std::string name;
  std::string title;           // one line for people
  int ranks = 0;               // GPUs (or processes) it has
  int compute_capability = 0;  // 120 for SM 12.0; 0: ranks are processes on CPU cores
  std::string gpu;             // as its driver calls it, "NVIDIA H200"; empty: not known
  std::string link;            // "NVLink 4, 18 links", "PCIe 5.0 x16"
  // Of the worst pair; nothing: not known, and taken as NVLink where something must be taken.
  std::optional<PeerAccess> peer_access;
  double one_way_latency_ns = 0;  // a flag from one rank to another
  double bandwidth_gbps = 0;      // one direction of one rank while all pairs talk
  double alone_gbps = 0;          // the same while one pair talks
  double call_overhead_ns = 0;    // per collective: launch gap inside a graph, or the loop on a host
  double launch_ns = 0;           // per collective that is launched by itself (eager)
  double step_overhead_ns =
      0;  // per dependent step of an algorithm beside the latency: synchronisation, chunking
  double nccl_step_ns = 0;          // the same of NCCL's algorithms
  double local_bandwidth_gbps = 0;  // a rank's own memory, read plus written; 0: not known
  double read_gbps = 0;             // a rank's own memory when weights are read; 0: not known
  double memory_gib = 0;            // of a rank; 0: not known
  Origin origin = Origin::assumed;
  std::string source;  // where the figures come from
  std::vector<FittedCost> fitted;
  std::vector<FitError> fit_errors;  // of `fitted`, and of formulas whose figures above were fitted

  // Whose strategies run there.
  DeviceKind device() const { return compute_capability == 0 ? DeviceKind::host : DeviceKind::cuda; }
};

}  // namespace ringside
