#pragma once

#include <optional>

#include "report/export/decision.hpp"
#include "support/query.hpp"

namespace ringside {

// What a result tells of its machine, for the rules of servers and of NCCL. Nothing where it doesn't say, or
// its GPUs differ.
struct MachineFacts {
  std::optional<int> compute_capability;  // 90 for 9.0
  std::optional<PairLink> link;           // of the worst pair
  std::optional<bool> multicast;          // known where NCCL ran NVLS
  std::optional<int> nccl;                // 22809
};
MachineFacts machine_facts(const DecisionBasis& basis);

}  // namespace ringside
