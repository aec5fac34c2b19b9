#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "model/case.hpp"
#include "model/document.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// What a sweep is asked to do; filled from a scenario and flags.
struct SweepRequest {
  DeviceKind device = DeviceKind::host;
  DeviceKind described = DeviceKind::model;  // model: whose strategies the described machine runs
  int ranks = 2;
  std::vector<std::string> strategies = {
      "all"};                // names, families or "all"; the same name twice gives two entries
  std::vector<Bytes> sizes;  // strictly ascending
  std::vector<DType> dtypes = {DType::bf16};
  std::vector<Mode> modes = {Mode::eager};
  Collective collective = Collective::allreduce;
  std::vector<double> load;  // alltoall: Case::load
  int launches = 3;
  int min_rounds = 10;  // the stop rule is not looked at before
  int max_rounds = 200;
  std::chrono::nanoseconds budget{};  // the whole command
  bool firm_budget = false;  // once it is spent no group of cases begins; else the first launch ends anyhow
  std::chrono::nanoseconds turn_timeout{};  // one case in one round
  std::uint64_t seed = 0;
  int calls_per_sample = 122;       // upper limit on host, where big messages get fewer
  std::vector<std::string> gpus;    // cuda: the UUID of each rank's GPU
  std::string nccl_library;         // cuda: path; empty: there is none
  std::chrono::nanoseconds skew{};  // how late one rank comes, in a measurement of its own; 0: none
  bool profile = false;             // each case once, for a profiler: no statistics
  bool cold_input = false;          // calls read inputs that are in no cache
  // On purpose, to try a gate: every repetition of the strategy ("all": of each) makes so many times the
  // calls that it counts, to whole calls.
  std::map<std::string, double> slowdowns;
  Bytes cache;  // cuda: the largest GPU cache, for cold inputs
};

// Buffers that the timed calls of a case read in turn when inputs are to be cold: so many that none is in the
// cache when it is read. Else 0: each case reads its own one.
std::size_t cold_inputs(const SweepRequest& request, Bytes message);

// The cases that are timed together, interleaved: same message, dtype and mode, one per strategy entry.
struct CaseGroup {
  std::vector<std::size_t> cases;  // indices into Plan::cases
};

struct PlannedCase {
  Case params;
  const Strategy* strategy = nullptr;
  std::optional<Finding> skipped;  // why it is not admitted
};

struct Plan {
  SweepRequest request;
  std::vector<PlannedCase> cases;       // sizes outermost, strategies innermost
  std::vector<CaseGroup> groups;        // admitted cases only
  Bytes arena_bytes;                    // per rank, for the neediest group: arena_need(); model: 0
  Bytes staging_bytes;                  // per rank, beside it in ordinary memory: staging_need()
  std::chrono::nanoseconds estimate{};  // of the whole command
};

// Expands the request. Throws UsageError for names that don't exist and for what can't be asked together.
Plan make_plan(const SweepRequest& request, const AdmissionContext& context);

// What each rank's device takes, of the host or of its GPU: see device_memory() for what that counts.
Bytes device_memory_need(const Plan& plan);

// What the ranks of the host device take, all together: their devices and what they stage beside them.
Bytes host_memory_need(const Plan& plan);

// Leaves only the groups in which `wanted` says yes to a case, whole: cases that were measured together stay
// together.
void keep_groups(Plan& plan, const std::function<bool(const Case&)>& wanted);

// Adds another plan's cases behind those of `plan`: one run for several collectives. The request stays that
// of `plan`.
void append(Plan& plan, const Plan& other);

}  // namespace ringside
