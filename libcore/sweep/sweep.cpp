#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "strategy/strategy.hpp"
#include "sweep/candidate_results.hpp"
#include "sweep/checked_calls.hpp"
#include "sweep/group_attempt.hpp"
#include "sweep/group_settings.hpp"
#include "sweep/rank_groups.hpp"
#include "sweep/read_back.hpp"
#include "sweep/sweep_rows.hpp"
#include "sweep/time_shares.hpp"
#include "sweep/turns.hpp"

namespace ringside {
namespace {

constexpr int kRestarts = 2;  // of ranks that are lost again and again, without a case that does it

// How much longer than its budget a sweep may take where a request to the ranks turns out to be long.
std::chrono::nanoseconds overrun(std::chrono::nanoseconds budget) {
  return std::max<std::chrono::nanoseconds>(std::chrono::seconds(1), budget / 25);
}

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
        turns_(plan),
        begun_(hooks.begun.value_or(clock.now())),
        last_moment_(begun_ + request_.budget + overrun(request_.budget)) {
    if (request_.firm_budget) ranks_.set_deadline(clock, last_moment_);
    Method method;
    method.seed = request_.seed;
    method.launches_wanted = request_.launches;
    method.budget_s = seconds(request_.budget);
    document_.method = method;
  }

  // What was measured before an error is judged like all else.
  void run() {
    try {
      measure();
    } catch (const Error&) {
      out_of_budget_ = true;
      finish();
      throw;
    }
    end_ranks();
    finish();
  }

 private:
  void measure() {
    if (asks_anything(plan_)) read_back_choices();
    for (int launch = 0; launch < request_.launches && !over_; ++launch)
      run_launch(launch, turns_.groups_for(launch), request_.launches - launch - 1);
    if (request_.firm_budget) use_time_left();
  }

  enum class Turn { done, no_time, over };

  std::chrono::nanoseconds elapsed() const { return clock_.now() - begun_; }

  // Without a firm budget the first launch ends, whatever it takes.
  bool any_fits(int launch, std::span<const std::size_t> groups, int launches_after) const {
    for (std::size_t at = 0; at < groups.size(); ++at) {
      if (shares_.slice(launch, groups.subspan(at), launches_after, elapsed() + shares_.overhead()))
        return true;
    }
    return false;
  }

  // True: some group had its turn.
  bool run_launch(int launch, const std::vector<std::size_t>& groups, int launches_after) {
    if (launch > 0 || turns_.begun()) {
      if (groups.empty()) return false;
      if (!any_fits(launch, groups, launches_after)) {
        out_of_budget_ = true;
        return false;
      }
    }
    const std::chrono::nanoseconds before = elapsed();
    log(fmt::format("launch {}: fresh ranks", launch + 1));
    end_ranks();
    choose_cores();
    if (!groups.empty()) static_cast<void>(start_ranks(first_ranks()));  // what fails now fails again below
    shares_.note_launch(elapsed() - before);
    bool any = false;
    for (std::size_t at = 0; at < groups.size(); ++at) {
      const auto slice = shares_.slice(launch, std::span(groups).subspan(at), launches_after, elapsed());
      if (!slice) {
        out_of_budget_ = true;
        continue;
      }
      const Turn turn = run_group(launch, groups[at], *slice);
      if (turn == Turn::over) {
        over_ = true;
        return any;
      }
      any = any || turn == Turn::done;
      document_.method->elapsed_s = seconds(elapsed());
      if (hooks_.checkpoint) hooks_.checkpoint(document_);
    }
    return any;
  }

  // What the launches have left of the budget is for what is undecided: groups that a launch had no time for,
  // or too few undisturbed rounds, and then those that ended by their share of the time. Measured again on
  // fresh ranks, the launch with more rounds stays.
  void use_time_left() {
    for (const Turns::Want want : {Turns::Want::rounds, Turns::Want::longer}) {
      for (bool again = true; again && !over_;) {
        again = false;
        for (int launch = 0; launch < request_.launches && !over_; ++launch) {
          const auto groups = turns_.wanting(launch, want, document_, request_.budget - elapsed());
          if (!groups.empty() && run_launch(launch, groups, 0)) again = true;
        }
      }
    }
  }

  void choose_cores() {
    if (!hooks_.choose_cores) return;
    cores_ = hooks_.choose_cores();
    ranks_.use_cores(cores_->pinned);
    rows_.note_cores(cores_->usable);
  }

  RankCores rank_cores() const {
    return cores_.value_or(RankCores{ranks_[0].settings().device.cores, request_.ranks});
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
      if (request_.firm_budget) reporting.set_deadline(clock_, begun_ + request_.budget / 3);
      read_back(plan_, index, reporting, rows_, attempt_hooks(0, 0));
    }
    interrupted_ = over_ = stop_requested();
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
      if (failure->at_deadline) return failure;
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

  // There was no time for the group, or there is none for any.
  Turn no_time(std::size_t group, TimePoint since) {
    out_of_budget_ = true;
    shares_.note_unfinished(group, clock_.now() - since);
    return clock_.now() >= last_moment_ ? Turn::over : Turn::no_time;
  }

  // Attempts until the candidates that are left get through.
  Turn run_group(int launch, std::size_t group, const TimeSlice& slice) {
    const TimePoint since = clock_.now();
    const AttemptSettings attempt_settings = settings(launch, group, slice);
    int restarts = 0;
    std::set<std::size_t> without;  // rank groups that do not start
    for (;;) {
      std::vector<Candidate> candidates = open_candidates(plan_.groups[group]);
      for (const std::size_t rank_group : without) take_out(candidates, rank_group);
      if (candidates.empty()) {
        turns_.note_failed(launch, group);
        return Turn::done;
      }
      if (const auto failed = start_ranks(rank_groups_of(candidates))) {
        if (failed->failure.at_deadline) return no_time(group, since);
        interrupted_ = stop_requested();
        if (interrupted_) return Turn::over;
        fail_all(take_out(candidates, failed->rank_group), failed->failure);
        without.insert(failed->rank_group);
        continue;
      }
      const AttemptResult result =
          attempt_group(ranks_, candidates, attempt_settings, attempt_hooks(launch, group));
      rows_.note_strategy_choices(result);
      if (result.interrupted) {
        interrupted_ = true;
        return Turn::over;
      }
      if (result.out_of_time) return no_time(group, since);
      if (result.lost_before) {
        rows_.note_restart(*result.lost_before);
        log("ranks lost between cases: " + result.lost_before->message);
        if (++restarts <= kRestarts) continue;
        fail_all(candidates, *result.lost_before);
        turns_.note_failed(launch, group);
        return Turn::done;
      }
      if (!result.failed) {
        rows_.add(result);
        if (result.lost_after) rows_.note_restart(*result.lost_after);
        note(launch, group, result);
        return Turn::done;
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
                            planned.strategy->asks().has_value(), slowdown(request_, planned.params.strategy),
                            planned.rank_group});
    }
    return candidates;
  }

  AttemptSettings settings(int launch, std::size_t group, const TimeSlice& slice) const {
    AttemptSettings settings;
    settings.launch = launch;
    settings.turn_group = plan_.groups[group].turn_group;
    settings.seed = request_.seed;
    settings.max_calls = request_.calls_per_sample;
    settings.fixed_calls = plan_.cases[plan_.groups[group].cases.front()].params.mode == Mode::graph;
    settings.turn = turn_length(request_.device);
    settings.rule.min_rounds = request_.min_rounds;
    settings.rule.max_rounds = request_.max_rounds;
    settings.share = slice.share;
    settings.tight = slice.tight;
    if (request_.firm_budget) settings.deadline = clock_.now() + slice.limit;
    settings.cores = rank_cores();
    settings.cold_inputs = cold_inputs(request_, plan_.cases[plan_.groups[group].cases.front()].params.bytes);
    settings.input = request_.input;
    plan_checks(request_, plan_.cases.size(), plan_.cases[plan_.groups[group].cases.front()].params,
                settings);
    settings.skew = request_.skew;
    settings.profile = request_.profile;
    return settings;
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
            [this] { return stop_requested(); },
            hooks_.gpu_states,
            hooks_.host,
            pace_};
  }

  void note(int launch, std::size_t group, const AttemptResult& result) {
    Method& method = *document_.method;
    cut_verification_ = cut_verification_ || (launch == 0 && result.effort != VerifyEffort::full) ||
                        result.effort == VerifyEffort::least;
    method.verification = describe_checks(cut_verification_);
    method.rounds_min = method.rounds_min == 0 ? result.rounds : std::min(method.rounds_min, result.rounds);
    method.rounds_max = std::max(method.rounds_max, result.rounds);
    out_of_budget_ = out_of_budget_ || result.reason == StopReason::budget;
    out_of_rounds_ = out_of_rounds_ || result.reason == StopReason::rounds;
    turns_.note(launch, group, result);
    if (result.rounds > 0) shares_.note_group(launch, group, result.setup, result.timed / result.rounds);
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
    method.launches = turns_.whole_launches();
    document_.complete = rows_.finish(interrupted_, shares_.least_budget());
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
  Turns turns_;
  VerifyPace pace_;
  TimePoint begun_;
  TimePoint last_moment_;  // ranks that are still at work then are ended
  std::optional<RankCores> cores_;
  std::map<std::size_t, int> failed_starts_;  // by rank group, one after the other
  bool over_ = false;                         // no group gets a turn any more
  bool interrupted_ = false;
  bool cut_verification_ = false;
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
