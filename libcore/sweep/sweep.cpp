#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "strategy/strategy.hpp"
#include "sweep/group_attempt.hpp"
#include "sweep/group_settings.hpp"
#include "sweep/rank_groups.hpp"
#include "sweep/read_back.hpp"
#include "sweep/sweep_rows.hpp"
#include "sweep/time_shares.hpp"

namespace ringside {
namespace {

constexpr int kRestarts = 2;  // of ranks that are lost again and again, without a case that does it

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Sweep {
 public:
  Sweep(const Plan& plan, RankGroupFactory& factory, const Clock& clock, const SweepHooks& hooks,
        Document& document)
      : plan_(plan),
        request_(plan.request),
        factory_(factory),
        clock_(clock),
        hooks_(hooks),
        document_(document),
        rows_(plan, document),
        ranks_(plan, factory),
        shares_(plan),
        begun_(clock.now()) {
    Method method;
    method.seed = request_.seed;
    method.launches_wanted = request_.launches;
    method.budget_s = seconds(request_.budget);
    document_.method = method;
  }

  void run() {
    if (asks_anything(plan_)) read_back_choices();
    for (int launch = 0; launch < request_.launches && !interrupted_; ++launch) {
      if (launch > 0 && !shares_.fits_another_launch(elapsed())) {
        out_of_budget_ = true;
        break;
      }
      if (!run_launch(launch)) break;
      document_.method->launches = launch + 1;
    }
    end_ranks();
    finish();
  }

 private:
  std::chrono::nanoseconds elapsed() const { return clock_.now() - begun_; }

  // False: it was cut short.
  bool run_launch(int launch) {
    const std::chrono::nanoseconds before = elapsed();
    log(fmt::format("launch {}: fresh ranks", launch + 1));
    end_ranks();
    if (!plan_.groups.empty())
      static_cast<void>(start_ranks(first_ranks()));  // what fails now fails again below
    shares_.note_launch(elapsed() - before);
    for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
      if (request_.firm_budget && elapsed() >= request_.budget) {
        out_of_budget_ = true;
        return false;
      }
      const bool whole = run_group(launch, group);
      if (interrupted_) return false;
      if (!whole) {
        out_of_budget_ = true;
        return false;
      }
      document_.method->elapsed_s = seconds(elapsed());
      if (hooks_.checkpoint) hooks_.checkpoint(document_);
    }
    return true;
  }

  void end_ranks() { note_restarts(ranks_.renew()); }

  void note_restarts(const std::vector<TurnFailure>& failures) {
    for (const TurnFailure& failure : failures) rows_.note_restart(failure);
  }

  // All that will be alive beside each other.
  std::vector<std::size_t> first_ranks() const {
    if (plan_.apart) return ringside::rank_groups_of(plan_, plan_.groups.front().cases);
    std::vector<std::size_t> cases;
    for (const CaseGroup& group : plan_.groups)
      cases.insert(cases.end(), group.cases.begin(), group.cases.end());
    return ringside::rank_groups_of(plan_, cases);
  }

  void read_back_choices() {
    for (std::size_t index = 0; index < plan_.rank_groups.size() && !stop_requested(); ++index) {
      GroupSettings settings = group_settings(request_, plan_.rank_groups[index]);
      settings.device.report = true;
      RenewableGroup reporting(factory_, settings, request_.turn_timeout);
      read_back(plan_, index, reporting, rows_, attempt_hooks(0, 0));
    }
    interrupted_ = stop_requested();
  }

  bool stop_requested() const { return hooks_.stop_requested && hooks_.stop_requested(); }

  // Ranks that were lost while they started are no case's doing: they get another try, unless the ones before
  // were lost, too.
  struct FailedStart {
    std::size_t rank_group = 0;
    TurnFailure failure;
  };
  std::optional<FailedStart> start_ranks(const std::vector<std::size_t>& wanted) {
    if (plan_.apart) note_restarts(ranks_.renew_all_but(wanted));
    for (const std::size_t index : wanted) {
      try {
        if (auto failure = start_ranks(index)) return FailedStart{index, std::move(*failure)};
      } catch (const EnvironmentError& error) {  // this machine can't have these ranks beside the others
        if (index == wanted.front()) throw;
        return FailedStart{index, {TurnOutcome::Kind::error, error.what(), {}}};
      }
    }
    return std::nullopt;
  }

  std::optional<TurnFailure> start_ranks(std::size_t rank_group) {
    int& failed_starts = failed_starts_[rank_group];
    for (;;) {
      const auto failure = ranks_[rank_group].start();
      if (!failure) {
        failed_starts = 0;
        return std::nullopt;
      }
      rows_.note_restart(*failure);
      log("ranks lost while they started: " + failure->message);
      if (++failed_starts > kRestarts || stop_requested()) return failure;
    }
  }

  // No case's doing: what earlier launches have measured stays, and what has nothing so far has failed.
  void fail_all(const std::vector<Candidate>& candidates, const TurnFailure& failure) {
    for (const Candidate& candidate : candidates) {
      if (document_.rows[candidate.case_index].launches.empty())
        rows_.fail({candidate.case_index, false, false, failure});
    }
  }

  // The candidates of these ranks take no part in a group: there are no such ranks.
  static std::vector<Candidate> take_out(std::vector<Candidate>& candidates, std::size_t rank_group) {
    const auto theirs = std::ranges::stable_partition(
        candidates, [&](const Candidate& candidate) { return candidate.rank_group != rank_group; });
    const std::vector<Candidate> taken(theirs.begin(), theirs.end());
    candidates.erase(theirs.begin(), theirs.end());
    return taken;
  }

  // Attempts until the candidates that are left get through. False: there was no time for it, or somebody
  // interrupted.
  bool run_group(int launch, std::size_t group) {
    int restarts = 0;
    std::set<std::size_t> without;  // rank groups that do not start
    for (;;) {
      std::vector<Candidate> candidates = open_candidates(plan_.groups[group]);
      for (const std::size_t rank_group : without) take_out(candidates, rank_group);
      if (candidates.empty()) return true;
      if (const auto failed = start_ranks(rank_groups_of(candidates))) {
        interrupted_ = stop_requested();
        if (interrupted_) return false;
        fail_all(take_out(candidates, failed->rank_group), failed->failure);
        without.insert(failed->rank_group);
        continue;
      }
      const AttemptResult result =
          attempt_group(ranks_, candidates, settings(launch, group), attempt_hooks(launch, group));
      rows_.note_strategy_choices(result);
      if (result.interrupted) {
        interrupted_ = true;
        return false;
      }
      if (result.out_of_time) {
        end_ranks();  // half a group is prepared
        return false;
      }
      if (result.lost_before) {
        rows_.note_restart(*result.lost_before);
        log("ranks lost between cases: " + result.lost_before->message);
        if (++restarts <= kRestarts) continue;
        fail_all(candidates, *result.lost_before);
        return true;
      }
      if (!result.failed) {
        rows_.add(result);
        if (result.lost_after) rows_.note_restart(*result.lost_after);
        note(result);
        shares_.note_group(group, result.least);
        return true;
      }
      rows_.fail(*result.failed);
      log(fmt::format("{}: {}", case_name(plan_.cases[result.failed->case_index].params),
                      result.failed->failure.message));
    }
  }

  std::vector<Candidate> open_candidates(const CaseGroup& group) const {
    std::vector<Candidate> candidates;
    for (const std::size_t index : group.cases) {
      const PlannedCase& planned = plan_.cases[index];
      if (!rows_.open(index)) continue;
      candidates.push_back({index, &planned.params, planned.strategy->numerics(),
                            planned.strategy->asks().has_value(), slowdown(planned.params.strategy),
                            planned.rank_group});
    }
    return candidates;
  }

  std::vector<std::size_t> rank_groups_of(const std::vector<Candidate>& candidates) const {
    std::vector<std::size_t> cases;
    for (const Candidate& candidate : candidates) cases.push_back(candidate.case_index);
    return ringside::rank_groups_of(plan_, cases);
  }

  double slowdown(const std::string& strategy) const {
    for (const std::string& name : {strategy, std::string("all")}) {
      const auto found = std::ranges::find(request_.slowdowns, name, &Slowdown::strategy);
      if (found != request_.slowdowns.end()) return found->factor;
    }
    return 1;
  }

  AttemptSettings settings(int launch, std::size_t group) const {
    AttemptSettings settings;
    settings.launch = launch;
    settings.turn_group = plan_.groups[group].turn_group;
    settings.seed = request_.seed;
    settings.max_calls = request_.calls_per_sample;
    settings.fixed_calls = plan_.cases[plan_.groups[group].cases.front()].params.mode == Mode::graph;
    settings.turn = turn_length(request_.device);
    settings.rule.min_rounds = request_.min_rounds;
    settings.rule.max_rounds = request_.max_rounds;
    settings.share = shares_.share(launch, group, elapsed());
    if (request_.firm_budget) settings.deadline = begun_ + request_.budget;
    settings.cold_inputs = cold_inputs(request_, plan_.cases[plan_.groups[group].cases.front()].params.bytes);
    settings.input = request_.input;
    set_checks(settings, plan_.cases[plan_.groups[group].cases.front()].params);
    settings.skew = request_.skew;
    settings.profile = request_.profile;
    return settings;
  }

  // Many calls in a row are checked in a tenth of what a case may take in all launches. What only shows after
  // 65,536 calls, as a count of 16 bits does, is looked for in graphs, where calls are fastest.
  void set_checks(AttemptSettings& settings, const Case& params) const {
    constexpr std::uint64_t kBeyond16Bits = 65536;
    settings.check_time = request_.budget / static_cast<int>(plan_.cases.size()) / 10;
    if (request_.verify_calls > 0) {
      settings.checked_calls = static_cast<std::uint64_t>(request_.verify_calls);
      settings.check_time = std::chrono::nanoseconds::max();
    } else if (request_.profile) {
      settings.checked_calls = 0;
    } else if (params.device == DeviceKind::cuda && params.bytes <= 64_KiB && params.mode == Mode::graph) {
      settings.long_run = kBeyond16Bits;
    }
  }

  AttemptHooks attempt_hooks(int launch, std::size_t group) {
    return {clock_,
            [this, launch, group](const Case& params, const std::string& what) {
              const std::string current = fmt::format("{}, {}", case_name(params), what);
              log(fmt::format("launch {}: {}", launch + 1, current));
              if (!hooks_.progress) return;
              const auto groups = static_cast<double>(plan_.groups.size());
              SweepProgress progress{&document_, launch, request_.launches, current, 0, {}};
              progress.done = (launch * groups + static_cast<double>(group)) / (groups * request_.launches);
              const auto total = std::max(request_.budget, elapsed());
              progress.left =
                  std::chrono::duration_cast<std::chrono::nanoseconds>((1 - progress.done) * total);
              hooks_.progress(progress);
            },
            [this] { return stop_requested(); }, hooks_.gpu_states};
  }

  void note(const AttemptResult& result) {
    Method& method = *document_.method;
    method.verification =
        "each case with a time was verified in every launch: exact integers bitwise, before timing and "
        "behind "
        "every timed repetition; in the first launch also calls in a row (how many: calls_in_a_row of the "
        "row) "
        "and full range, against the sum that the strategy declares";
    method.rounds_min = method.rounds_min == 0 ? result.rounds : std::min(method.rounds_min, result.rounds);
    method.rounds_max = std::max(method.rounds_max, result.rounds);
    out_of_budget_ = out_of_budget_ || result.reason == StopReason::budget;
    out_of_rounds_ = out_of_rounds_ || result.reason == StopReason::rounds;
  }

  void log(const std::string& line) const {
    if (hooks_.log) hooks_.log(line);
  }

  void finish() {
    Method& method = *document_.method;
    method.elapsed_s = seconds(elapsed());
    method.stop_reason = interrupted_     ? "interrupted"
                         : out_of_budget_ ? "budget"
                         : out_of_rounds_ ? "rounds"
                                          : "interval";
    document_.complete = rows_.finish(interrupted_);
  }

  const Plan& plan_;
  const SweepRequest& request_;
  RankGroupFactory& factory_;
  const Clock& clock_;
  const SweepHooks& hooks_;
  Document& document_;
  SweepRows rows_;
  RankGroups ranks_;
  TimeShares shares_;
  TimePoint begun_;
  std::map<std::size_t, int> failed_starts_;  // by rank group, one after the other
  bool interrupted_ = false;
  bool out_of_budget_ = false;
  bool out_of_rounds_ = false;
};

}  // namespace

void run_sweep(const Plan& plan, RankGroupFactory& factory, const Clock& clock, const SweepHooks& hooks,
               Document& document) {
  Sweep(plan, factory, clock, hooks, document).run();
}

ExitCode exit_code(const Document& document) {
  ExitCode code = ExitCode::ok;
  for (const Finding& finding : document.findings) code = combine(code, exit_of(finding.kind));
  return code;
}

}  // namespace ringside
