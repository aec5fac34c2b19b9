#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "machine/gpu_state.hpp"
#include "stats/stop_rule.hpp"
#include "sweep/plan.hpp"
#include "sweep/rank_groups.hpp"
#include "sweep/round_watch.hpp"
#include "sweep/verify_effort.hpp"

namespace ringside {

// One case of a group as an attempt sees it.
struct Candidate {
  std::size_t case_index = 0;
  const Case* params = nullptr;
  Numerics numerics;
  bool library = false;        // that is not ours runs it
  double slowdown = 1;         // calls that a sample makes for each that it counts
  std::size_t rank_group = 0;  // PlannedCase::rank_group
};

// How long a turn takes. Processes on CPU cores share them with whatever else runs, so that short samples are
// noisy; a GPU is alone.
struct TurnLength {
  double target_ns = 8e6;  // repetitions of the slowest candidate, altogether
  double warm_up_below_ns =
      1e9;  // a longer repetition has no warm-up one before it: its first call is a small part of it
};
TurnLength turn_length(DeviceKind device);

// What an attempt is given.
struct AttemptSettings {
  int launch = 0;
  int turn_group = 0;        // LaunchSamples::turn_group
  std::uint64_t seed = 0;    // of the whole sweep
  int max_calls = 122;       // in one sample
  bool fixed_calls = false;  // graph mode: exactly max_calls
  TurnLength turn;
  StopRule rule;
  std::chrono::nanoseconds share{};   // of the budget
  std::optional<TimePoint> deadline;  // after it no further case is prepared or verified, and no round begins
  bool tight = false;                 // one round is enough to end at `share`
  RankCores cores;
  std::size_t cold_inputs = 0;  // BeginGroup::cold_inputs
  InputState input = InputState::warm;
  // Calls in a row that are checked, when they fit into check_time, 40 at least; fewer in later launches.
  std::uint64_t checked_calls = 1098;
  std::chrono::nanoseconds check_time{};  // for each case
  // Own strategies, in the first launch: so many calls are made without looking, and 488 behind them checked.
  std::uint64_t long_run = 0;
  std::chrono::nanoseconds skew{};  // 0: not measured
  bool profile = false;             // once for a profiler, without statistics
};

struct AttemptHooks {
  const Clock& clock;
  std::function<void(const Case&, const std::string& what)> turn;  // before each turn
  std::function<bool()> stop_requested;
  std::function<std::vector<GpuState>()> gpu_states;  // of the ranks' GPUs, after each turn; may be empty
  const HostWatch* host;                              // may be null
  VerifyPace& pace;                                   // of this run so far
};

// What a candidate has after a finished attempt; of one that failed, what it had when it did.
struct CandidateResult {
  std::size_t case_index = 0;
  std::optional<StrategyChoice> choice;
  LaunchSamples samples;
  Verification verification;
  std::optional<std::string> no_time;  // why its samples are no times
  std::optional<std::string> unsafe;   // what a library's collective gave behind a producer that writes late
  std::optional<ClockRecord> clocks;
  std::optional<SkewRecord> skew;
};

// How one attempt at a group of cases with the ranks as they are came out. With `failed` set, that case must
// leave the group and the others begin again; with `lost_before` all begin again.
struct AttemptResult {
  struct Failed {
    std::size_t case_index = 0;
    bool wrong_data = false;
    bool unavailable = false;  // no failure: this machine has no such way, as it turned out
    TurnFailure failure;
    bool impossible = false;  // its times can't be those of its calls
  };
  std::optional<Failed> failed;
  std::optional<TurnFailure>
      lost_before;  // no case's doing: the ranks failed before the first one had its turn
  std::optional<TurnFailure> lost_after;  // nor is this: they failed when all had been measured
  bool interrupted = false;
  bool out_of_time = false;  // the deadline passed before all cases were verified; nothing was timed
  StopReason reason = StopReason::none;
  int rounds = 0;
  std::chrono::nanoseconds setup{};          // what the attempt took until the first round began
  std::chrono::nanoseconds timed{};          // what its rounds took
  VerifyEffort effort = VerifyEffort::full;  // the least that a case was verified with
  Disturbance disturbance;
  std::optional<LinkLimits> limits;
  std::vector<CandidateResult> results;
};

// Prepares, verifies, warms up and times the candidates in interleaved rounds, each on the ranks of its rank
// group, which must run.
AttemptResult attempt_group(RankGroups& ranks, const std::vector<Candidate>& candidates,
                            const AttemptSettings& settings, const AttemptHooks& hooks);

}  // namespace ringside
