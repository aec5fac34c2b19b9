#include "sweep/step_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "protocol/group_memory.hpp"
#include "stats/order.hpp"
#include "sweep/group_settings.hpp"
#include "sweep/renewable_group.hpp"

namespace ringside {
namespace {

constexpr int kMostRounds = 12;  // of all launches together
constexpr int kRepetitions = 5;

class StepReplayer {
 public:
  StepReplayer(const Plan& plan, const std::vector<StepProgram>& programs, RankGroupFactory& factory,
               const SweepHooks& hooks, Document& document)
      : plan_(plan),
        programs_(programs),
        hooks_(hooks),
        document_(document),
        group_ranks_(factory, settings(), plan.request.turn_timeout),
        samples_(programs.size()),
        alone_(programs.size()),
        exposed_(programs.size()) {}

  // Fresh ranks as often as a sweep has them: where buffers lie alone makes some percent, for good.
  std::vector<SpecReplay> run(const Clock& clock, std::chrono::nanoseconds budget) {
    const TimePoint begun = clock.now();
    const int launches = plan_.request.launches;
    const int rounds = std::max(kMostRounds / launches, 1);
    for (int launch = 0; launch < launches && !lost_ && !stopped(); ++launch) {
      const std::chrono::nanoseconds end = budget * (launch + 1) / launches;
      if (launch > 0 && clock.now() - begun > budget) break;
      group_ranks_.renew();
      if (hooks_.choose_cores) group_ranks_.use_cores(hooks_.choose_cores().pinned);
      if (const auto failure = group_ranks_.start()) {
        note_loss("steps", *failure);
        continue;
      }
      if (!prepare(launch)) break;
      for (int round = 0; round < rounds && !stopped(); ++round) {
        if (round > 0 && clock.now() - begun > end) break;
        if (!measure_round(launch * rounds + round)) break;
      }
      if (!lost_)
        static_cast<void>(group_ranks_.ask(EndGroup{}));  // what was measured stands, however they end
    }
    if (stopped()) note_interruption();
    return results();
  }

 private:
  using Idle = std::tuple<Mode, std::size_t, std::chrono::nanoseconds, std::chrono::nanoseconds>;

  std::set<std::size_t> used_cases() const {
    std::set<std::size_t> used;
    for (const StepProgram& program : programs_) used.insert(program.calls.begin(), program.calls.end());
    return used;
  }

  // All cases stand side by side. Nothing is verified any more.
  BeginGroup group() const {
    BeginGroup group;
    for (const std::size_t index : used_cases()) {
      group.message = std::max(group.message, plan_.cases[index].params.bytes);
      group.output = std::max(group.output, output_bytes(plan_.cases[index].params));
    }
    return group;
  }

  GroupSettings settings() const {
    std::vector<GroupMember> members;
    for (const std::size_t index : used_cases())
      members.push_back({plan_.cases[index].strategy, &plan_.cases[index].params});
    const PlannedRanks& ranks = plan_.rank_groups[plan_.cases[*used_cases().begin()].rank_group];
    return group_settings(plan_.request, {ranks.environment, arena_need(group(), members)});
  }

  bool stopped() const { return hooks_.stop_requested && hooks_.stop_requested(); }

  bool fail(const std::string& what, const TurnFailure& failure) {
    lost_ = true;
    note_loss(what, failure);
    return false;
  }

  void note_loss(const std::string& what, const TurnFailure& failure) {
    Finding finding{.kind = finding_kind("replay-failed"),
                    .severity = Severity::error,
                    .subject = what,
                    .message = fmt::format("the replay of {} ended early: {}", what, failure.message),
                    .evidence = failure.evidence,
                    .remedy = "leave it out with --strategy"};
    if (failure.kind == TurnOutcome::Kind::timeout) {
      finding.kind = finding_kind("replay-timeout");
      finding.remedy = "if the box is only slow, allow more time with --timeout";
    } else if (failure.kind == TurnOutcome::Kind::lost) {
      finding.kind = finding_kind("replay-lost");
      finding.remedy = "see what the rank printed, and the kernel's log for the out-of-memory killer";
    }
    add_finding(document_, std::move(finding));
  }

  void note_interruption() {
    document_.complete = false;
    if (document_.method) document_.method->stop_reason = "interrupted";
    add_finding(document_, {.kind = finding_kind("interrupted"),
                            .severity = Severity::warning,
                            .subject = "replay",
                            .message = "the replay was interrupted; what was finished by then is kept",
                            .evidence = {},
                            .remedy = ""});
  }

  // In turned order in every other launch, as in a sweep.
  std::vector<std::size_t> placement(int launch) const {
    const std::set<std::size_t> used = used_cases();
    if (launch % 2 != 0) return {used.rbegin(), used.rend()};
    return {used.begin(), used.end()};
  }

  bool prepare(int launch) {
    const std::vector<std::size_t> order = placement(launch);
    if (const auto failure = group_ranks_.ask(group())) return fail("steps", *failure);
    for (const std::size_t index : order) {
      const Case& params = plan_.cases[index].params;
      std::vector<PrepareReply> replies;
      if (const auto failure = group_ranks_.ask(Prepare{static_cast<int>(index), params}, replies))
        return fail(case_name(params), *failure);
      for (const PrepareReply& reply : replies) {
        if (reply.unavailable)
          return fail(case_name(params), {TurnOutcome::Kind::error, *reply.unavailable, {}});
      }
    }
    return true;
  }

  bool measure_round(int round) {
    std::vector<std::size_t> order(programs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::seed_seq seed{plan_.request.seed, static_cast<std::uint64_t>(round)};
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    std::map<Idle, double> idle;  // measured once in a round: it is the same for all strategies
    for (const std::size_t index : order) {
      if (stopped()) return true;
      const StepProgram& program = programs_[index];
      if (hooks_.log)
        hooks_.log(fmt::format("step {} of {}, round {}", program.step, program.candidate, round + 1));
      std::vector<double> times;
      if (!sample(program, false, times)) return false;
      samples_[index].insert(samples_[index].end(), times.begin(), times.end());
      if (program.compute.count() == 0) continue;
      const double step = median(times);
      const Idle key{program.mode, program.calls.size(), program.compute, program.skew};
      if (!idle.contains(key)) {
        if (!sample(program, true, times)) return false;
        idle.emplace(key, median(times));
      }
      alone_[index].push_back(idle.at(key));
      exposed_[index].push_back(step - idle.at(key));
    }
    return true;
  }

  bool sample(const StepProgram& program, bool silent, std::vector<double>& slowest) {
    SampleStep request{.parts = {},
                       .mode = program.mode,
                       .skew = program.skew,
                       .silent = silent,
                       .repetitions = kRepetitions};
    for (const std::size_t index : program.calls)
      request.parts.push_back({static_cast<int>(index), program.compute});
    std::vector<SampleReply> replies;
    if (const auto failure = group_ranks_.ask(request, replies))
      return fail(fmt::format("{} of {}", program.step, program.candidate), *failure);
    slowest = replies.front().times_ns;
    for (const SampleReply& reply : replies) {
      for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], reply.times_ns[i]);
    }
    return true;
  }

  std::vector<SpecReplay> results() const {
    std::vector<SpecReplay> results;
    for (std::size_t index = 0; index < programs_.size(); ++index) {
      if (samples_[index].empty()) continue;
      const StepProgram& program = programs_[index];
      SpecReplay replay;
      replay.step = program.step;
      replay.candidate = program.candidate;
      replay.mode = program.mode;
      replay.calls = static_cast<int>(program.calls.size());
      replay.compute_ns = static_cast<double>(program.compute.count()) * replay.calls;
      replay.skew_ns = static_cast<double>(program.skew.count());
      replay.time = summarize(samples_[index]);
      if (!exposed_[index].empty()) {
        replay.alone_ns = median(alone_[index]);
        replay.exposed_ns = median(exposed_[index]);
      }
      results.push_back(std::move(replay));
    }
    return results;
  }

  const Plan& plan_;
  const std::vector<StepProgram>& programs_;
  const SweepHooks& hooks_;
  Document& document_;
  RenewableGroup group_ranks_;
  bool lost_ = false;
  std::vector<std::vector<double>> samples_;
  std::vector<std::vector<double>> alone_;    // medians of rounds
  std::vector<std::vector<double>> exposed_;  // the same
};

}  // namespace

std::vector<SpecReplay> replay_steps(const Plan& plan, const std::vector<StepProgram>& programs,
                                     RankGroupFactory& factory, const Clock& clock,
                                     std::chrono::nanoseconds budget, const SweepHooks& hooks,
                                     Document& document) {
  std::vector<SpecReplay> replays;
  for (std::size_t rank_group = 0; rank_group < plan.rank_groups.size(); ++rank_group) {
    std::vector<StepProgram> theirs;
    std::ranges::copy_if(programs, std::back_inserter(theirs), [&](const StepProgram& program) {
      return std::ranges::all_of(
          program.calls, [&](std::size_t index) { return plan.cases[index].rank_group == rank_group; });
    });
    if (theirs.empty()) continue;
    const auto share =
        budget * static_cast<std::int64_t>(theirs.size()) / static_cast<std::int64_t>(programs.size());
    const auto measured = StepReplayer(plan, theirs, factory, hooks, document).run(clock, share);
    replays.insert(replays.end(), measured.begin(), measured.end());
    if (!document.complete || (hooks.stop_requested && hooks.stop_requested())) break;
  }
  return replays;
}

}  // namespace ringside
