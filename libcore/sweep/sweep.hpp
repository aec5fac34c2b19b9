#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "base/clock.hpp"
#include "base/exit_code.hpp"
#include "launch/rank_group.hpp"
#include "machine/gpu_state.hpp"
#include "model/document.hpp"
#include "sweep/plan.hpp"
#include "sweep/round_watch.hpp"

namespace ringside {

// Where a sweep stands, for the progress line.
struct SweepProgress {
  const Document* document = nullptr;
  int launch = 0;  // from 0
  int launches = 0;
  std::string current;  // "ring 2K bf16 eager, round 7"
  double done = 0;      // 0..1 of the planned time
  std::chrono::nanoseconds left{};
};

struct SweepHooks {
  std::function<void(const SweepProgress&)> progress;  // often; cheap calls expected
  std::function<void(const Document&)> checkpoint;     // rows have changed and no case is being timed
  std::function<void(const std::string&)> log;         // a line for --verbose
  std::function<std::vector<GpuState>()> gpu_states;   // of the ranks' GPUs at this moment
  std::function<bool()> stop_requested;                // Ctrl-C: finish the turn, then end
  std::function<RankCores()> choose_cores = {};        // host: those that are free, before each launch
  const HostWatch* host = nullptr;                     // what else happens on this box; may be null
  std::optional<TimePoint> begun = {};                 // of the command; its budget counts from there
};

// Runs the plan on ranks that `factory` starts and fills document.rows, findings and method. The document is
// consistent at every hook call. Throws what the factory throws when not even the first group can be started.
void run_sweep(const Plan& plan, RankGroupFactory& factory, const Clock& clock, const SweepHooks& hooks,
               Document& document);

// The same rows from a described machine, without ranks (device model).
void run_model(const Plan& plan, const MachineProfile& machine, Document& document);

// 0, or what the rows and findings amount to: 4 wrong data, 5 time-out or lost rank, 3 other failures;
// combined.
ExitCode exit_code(const Document& document);

}  // namespace ringside
