#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/profile.hpp"
#include "model/case.hpp"
#include "model/document.hpp"
#include "model/request.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// Buffers that the timed calls of a case read in turn when inputs are to be cold: so many that none is in the
// cache when it is read. Else 0: each case reads its own one.
std::size_t cold_inputs(const SweepRequest& request, Bytes message);

// The cases that are timed together, interleaved: same message, dtype and mode, one per strategy entry.
struct CaseGroup {
  std::vector<std::size_t> cases;  // indices into Plan::cases
  int turn_group = 0;              // LaunchSamples::turn_group
};

struct PlannedCase {
  Case params;
  const Strategy* strategy = nullptr;
  std::optional<Finding> skipped;      // why it is not admitted
  std::optional<std::string> setting;  // Strategy::setting()
  std::size_t rank_group = 0;          // index into Plan::rank_groups
};

// Ranks that are started alike. Cases whose strategies need another environment have ranks of their own,
// which are alive beside the others.
struct PlannedRanks {
  std::vector<std::pair<std::string, std::string>> environment;  // beside the coordinator's own
  Bytes arena_bytes;  // per rank, for the neediest group of its cases: arena_need(); model: 0
};

struct Plan {
  SweepRequest request;
  std::vector<PlannedCase> cases;  // sizes outermost, strategies innermost
  std::vector<CaseGroup> groups;   // admitted cases only; those of eager calls first
  std::vector<PlannedRanks> rank_groups = std::vector<PlannedRanks>(1);
  bool apart = false;                   // one rank group at a time: see set_apart()
  Bytes staging_bytes;                  // per rank, beside its arena in ordinary memory: staging_need()
  std::chrono::nanoseconds estimate{};  // of the whole command
};

// Expands the request; that of the plan names each strategy in full. Throws UsageError for names that don't
// exist and for what can't be asked together.
Plan make_plan(const SweepRequest& request, const AdmissionContext& context);

// What rank r of all rank groups that are alive together takes of its device, of the host or of its GPU: see
// device_memory() for what that counts.
Bytes device_memory_need(const Plan& plan);

// What the ranks of the host device take, all together: their devices and what they stage beside them.
Bytes host_memory_need(const Plan& plan);

// Has the rank groups run one after the other, for want of memory: the first one's cases of all sizes, then
// the next one's. Cases of different rank groups take no turns with each other then.
void set_apart(Plan& plan);

// Leaves only the groups in which `wanted` says yes to a case, whole: cases that were measured together stay
// together.
void keep_groups(Plan& plan, const std::function<bool(const Case&)>& wanted);

}  // namespace ringside
