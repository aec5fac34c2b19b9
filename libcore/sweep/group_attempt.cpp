#include "sweep/group_attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "protocol/group_memory.hpp"
#include "stats/order.hpp"
#include "sweep/candidate_results.hpp"
#include "sweep/checked_calls.hpp"
#include "sweep/clock_record.hpp"
#include "sweep/slowest.hpp"
#include "sweep/touch.hpp"

namespace ringside {
namespace {

constexpr double kSampleTarget_ns = 2e6;  // one sample: long against the clock, short against a time slice
constexpr int kMaxRepetitions = 10;
constexpr int kSkewRepetitions = 31;

class Attempt {
 public:
  Attempt(RankGroups& ranks, const std::vector<Candidate>& candidates, const AttemptSettings& settings,
          const AttemptHooks& hooks)
      : ranks_(ranks),
        candidates_(candidates),
        settings_(settings),
        hooks_(hooks),
        begun_(hooks.clock.now()),
        watch_(hooks.clock, hooks.host, settings.cores) {
    result_.results.resize(candidates.size());
    for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
      result_.results[slot].case_index = candidates[slot].case_index;
      result_.results[slot].samples.launch = settings.launch;
      result_.results[slot].samples.turn_group = settings.turn_group;
      used_.insert(candidates[slot].rank_group);
    }
    round_medians_.resize(candidates.size());
    calls_ns_.resize(candidates.size());
    touches_ns_.resize(candidates.size());
  }

  AttemptResult run() {
    if (begin() && each(&Attempt::prepare, placement()) && each(&Attempt::verify) &&
        each(&Attempt::check_calls) &&
        (settings_.profile ? profile()
                           : calibrate() && rounds() && take_touch_off() && look_at_floor() &&
                                 each(&Attempt::measure_skew)) &&
        !cut_short_) {
      const auto failure = ranks_.ask(used_, EndGroup{});
      if (failure && !failure->at_deadline) result_.lost_after = failure;
    }
    note_disturbance();
    return std::move(result_);
  }

 private:
  void note_disturbance() {
    if (settings_.profile || result_.rounds == 0) return;
    watch_.end();
    result_.disturbance = watch_.found();
    ringside::note_disturbance(result_.disturbance, result_.results);
  }

  // The command's time is over: what was measured in whole rounds stays.
  bool cut_off() {
    cut_short_ = true;
    result_.out_of_time = result_.rounds == 0;
    if (!result_.out_of_time) result_.reason = StopReason::budget;
    keep_whole_rounds(result_.rounds, repetitions_, result_.results);
    return false;
  }

  RenewableGroup& ranks_of(std::size_t slot) { return ranks_[candidates_[slot].rank_group]; }
  RenewableGroup& first_ranks() { return ranks_[*used_.begin()]; }

  bool fail(std::size_t slot, TurnFailure failure, bool wrong_data = false) {
    if (failure.at_deadline) return cut_off();
    result_.failed =
        AttemptResult::Failed{candidates_[slot].case_index, wrong_data, false, std::move(failure)};
    return false;
  }

  bool lose(TurnFailure failure) {
    if (failure.at_deadline) return cut_off();
    result_.lost_before = std::move(failure);
    return false;
  }

  bool stopped() {
    if (!hooks_.stop_requested()) return false;
    result_.interrupted = true;
    return true;
  }

  std::chrono::nanoseconds left() const {
    return settings_.deadline ? *settings_.deadline - hooks_.clock.now() : std::chrono::nanoseconds::max();
  }

  bool past_deadline() const { return left().count() < 0; }

  bool out_of_time() {
    const bool timed = result_.rounds > 0;
    result_.out_of_time = !timed && past_deadline();
    return result_.out_of_time;
  }

  void announce(std::size_t slot, const std::string& what) { hooks_.turn(*candidates_[slot].params, what); }

  bool each(bool (Attempt::*step)(std::size_t)) { return each(step, first_to_last()); }

  bool each(bool (Attempt::*step)(std::size_t), const std::vector<std::size_t>& order) {
    return std::ranges::all_of(
        order, [&](std::size_t slot) { return !stopped() && !out_of_time() && (this->*step)(slot); });
  }

  std::vector<std::size_t> first_to_last() const {
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  // In this order candidates get their buffers. Every other launch turns it round: a fresh process is likely
  // to get the very memory that the one before had, and a difference that comes from the place must not look
  // like one that comes from the strategy.
  std::vector<std::size_t> placement() const {
    std::vector<std::size_t> order = first_to_last();
    if (settings_.launch % 2 != 0) std::ranges::reverse(order);
    return order;
  }

  bool begin() {
    const BeginGroup group = whole_group(*candidates_.front().params, settings_.cold_inputs,
                                         settings_.seed + static_cast<std::uint64_t>(settings_.launch));
    if (auto failure = ranks_.ask(used_, group)) return lose(*failure);
    std::vector<LinkLimits> limits;
    if (auto failure = first_ranks().ask(MeasureLimits{group.message}, limits)) return lose(*failure);
    result_.limits = limits.front();
    return true;
  }

  bool prepare(std::size_t slot) {
    announce(slot, "prepare");
    std::vector<PrepareReply> replies;
    if (auto failure =
            ranks_of(slot).ask(Prepare{static_cast<int>(slot), *candidates_[slot].params}, replies)) {
      return fail(slot, *failure);
    }
    if (const auto unavailable = note_prepared(replies, result_.results[slot])) {
      fail(slot, {TurnOutcome::Kind::error, *unavailable, {}});
      result_.failed->unavailable = true;
      return false;
    }
    return true;
  }

  bool wrong_data(std::size_t slot, const std::string& what) {
    return fail(slot, {TurnOutcome::Kind::error, what, {}}, true);
  }

  // What a library gives wrong only behind a producer that writes late is told, and fails no case.
  bool verify(std::size_t slot) {
    announce(slot, "verify");
    const Case& params = *candidates_[slot].params;
    const VerifyEffort effort =
        hooks_.pace.choose(params, settings_.launch, slot == 0, candidates_.size() - slot, left());
    VerifyPlan plan = with_effort(verify_plan(params, settings_.seed, settings_.launch), effort);
    const TimePoint asked = hooks_.clock.now();
    std::vector<VerifyReply> replies;
    if (auto failure = ranks_of(slot).ask(Verify{static_cast<int>(slot), plan}, replies))
      return fail(slot, *failure);
    hooks_.pace.note(params, slot == 0, effort, hooks_.clock.now() - asked);
    result_.effort = std::max(result_.effort, effort);
    const auto mismatch =
        std::ranges::find_if(replies, [](const VerifyReply& reply) { return reply.mismatch.has_value(); });
    if (candidates_[slot].library && mismatch != replies.end()) {
      const std::string unsafe = mismatch->mismatch->text;
      plan.plain_producer = true;
      replies.clear();
      if (auto failure = ranks_of(slot).ask(Verify{static_cast<int>(slot), plan}, replies))
        return fail(slot, *failure);
      if (!wrong_again(ranks_of(slot), static_cast<int>(slot), plan))
        return wrong_data(slot, unsafe + " (and right when it was made again)");
      result_.results[slot].unsafe = unsafe;
    }
    const auto wrong = judge(replies, candidates_[slot].numerics, result_.results[slot].verification);
    return !wrong || wrong_data(slot, *wrong);
  }

  bool check_calls(std::size_t slot) {
    announce(slot, "check");
    auto failed = check_calls_in_a_row(ranks_of(slot), static_cast<int>(slot), candidates_[slot], settings_,
                                       hooks_.clock, result_.results[slot]);
    return !failed || fail(slot, std::move(failed->failure), failed->wrong_data);
  }

  // One repetition to warm up, and one while the range is open that a profiler waits for.
  bool profile() {
    calls_ = settings_.fixed_calls ? settings_.max_calls : 1;
    double slowest = 1;
    const auto run = [&](const char* what, bool counts) {
      for (std::size_t slot = 0; slot < candidates_.size(); ++slot) {
        if (stopped()) return false;
        announce(slot, what);
        std::vector<SampleReply> replies;
        const Sample once{static_cast<int>(slot), calls_, 1, false, counts};
        if (auto failure = ranks_of(slot).ask(once, replies)) return fail(slot, *failure);
        for (const SampleReply& reply : replies) {
          if (reply.wrong) return wrong_data(slot, *reply.wrong);
        }
        slowest = std::max(slowest, median(slowest_per_call(replies, calls_)));
      }
      return true;
    };
    if (!run("warm up", false)) return false;
    if (!settings_.fixed_calls) calls_ = calls_in_sample(slowest);
    if (auto failure = first_ranks().ask(ProfilerRange{true})) return lose(*failure);
    if (!run("profile", true)) return false;
    if (auto failure = first_ranks().ask(ProfilerRange{false})) return lose(*failure);
    result_.rounds = 1;
    result_.reason = StopReason::rounds;
    return true;
  }

  // All candidates get the same number of calls in a sample and of samples in a turn: what suits the
  // slowest.
  bool calibrate() {
    double slowest = 0;
    for (std::size_t slot = 0; slot < candidates_.size(); ++slot) {
      announce(slot, "calibrate");
      const int calls = settings_.fixed_calls ? settings_.max_calls : 1;
      std::vector<double> times;
      // A graph has been replayed before; a single call has not even been made often.
      if (auto failure = sample(slot, calls, settings_.fixed_calls ? 1 : 3, times))
        return fail(slot, *failure);
      if (wrong_) return wrong_data(slot, *std::exchange(wrong_, std::nullopt));
      calls_ns_[slot] = std::max(1.0, median(times));
      slowest = std::max(slowest, calls_ns_[slot]);
    }
    calls_ = settings_.fixed_calls ? settings_.max_calls : calls_in_sample(slowest);
    repetitions_ = std::clamp(static_cast<int>(settings_.turn.target_ns / std::max(slowest * calls_, 1.0)), 1,
                              kMaxRepetitions);
    for (CandidateResult& result : result_.results) {
      result.samples.calls_per_sample = calls_;
      result.samples.samples_per_round = repetitions_;
    }
    return true;
  }

  int calls_in_sample(double slowest_ns) const {
    return std::clamp(static_cast<int>(kSampleTarget_ns / std::max(slowest_ns, 1.0)), 1, settings_.max_calls);
  }
  // What repetitions left wrong is in `wrong_`.
  std::optional<TurnFailure> sample(std::size_t slot, int calls, int repetitions,
                                    std::vector<double>& times) {
    std::vector<SampleReply>& replies = last_replies_;
    // Unknown as yet: 0, which is short. A graph is warm when it has been made.
    const bool fresh_graph = settings_.fixed_calls && calls_ns_[slot] == 0;
    const bool warm_up = !fresh_graph && calls_ns_[slot] * calls < settings_.turn.warm_up_below_ns;
    const int made = static_cast<int>(std::lround(calls * candidates_[slot].slowdown));
    const bool counts = repetitions_ > 0;  // they are known: the calibration is over
    const bool fresh = settings_.input == InputState::fresh;
    auto failure = ranks_of(slot).ask(Sample{static_cast<int>(slot), made, repetitions, warm_up, counts,
                                             fresh ? Timed::fresh : Timed::calls},
                                      replies);
    if (failure) return failure;
    times = slowest_per_call(replies, calls);
    for (const SampleReply& reply : replies) {
      if (!wrong_) wrong_ = reply.wrong;
    }
    result_.results[slot].verification.timed_repetitions += static_cast<std::uint64_t>(repetitions);
    return std::nullopt;
  }

  // The producers and consumers of a fresh repetition alone.
  std::optional<TurnFailure> sample_touch(std::size_t slot) {
    if (settings_.input != InputState::fresh) return std::nullopt;
    std::vector<SampleReply> replies;
    const int made = static_cast<int>(std::lround(calls_ * candidates_[slot].slowdown));
    auto failure =
        ranks_of(slot).ask(Sample{static_cast<int>(slot), made, 1, false, true, Timed::touch}, replies);
    if (!failure) touches_ns_[slot].push_back(slowest_per_call(replies, calls_).front());
    return failure;
  }

  bool take_touch_off() {
    watch_.end();
    for (std::size_t slot = 0; slot < candidates_.size(); ++slot) {
      if (touches_ns_[slot].empty()) continue;
      const std::vector<double> touches = touches_of(candidates_, touches_ns_, slot, result_.rounds);
      note_touch(touches, watch_.found().disturbed, result_.results[slot]);
    }
    return true;
  }

  // Where a time lies below the floor, a host's link is measured again, and keeps the best.
  bool look_at_floor() {
    if (!any_below_floor(candidates_, settings_.input, result_)) return true;
    std::vector<LinkLimits> limits;
    const MeasureLimits request{candidates_.front().params->bytes};
    if (auto failure = first_ranks().ask(request, limits)) return lose(*failure);
    result_.limits = limits.front();
    return true;
  }

  bool rounds() {
    const TimePoint timed = hooks_.clock.now();
    result_.setup = timed - begun_;
    while (result_.reason == StopReason::none) {
      if (!round()) return result_.reason == StopReason::budget;  // it was cut short
      ++result_.rounds;
      watch_.end_round();
      result_.timed = hooks_.clock.now() - timed;
      const Spent spent{.rounds = result_.rounds,
                        .elapsed = result_.setup + result_.timed,
                        .share = settings_.share,
                        .at_limit = at_limit()};
      result_.reason = should_stop(settings_.rule, without(watch_.found().disturbed, round_medians_), spent);
    }
    return true;
  }

  bool at_limit() const {
    const std::chrono::nanoseconds round = result_.timed / result_.rounds;
    return left() < round || (settings_.tight && result_.setup + result_.timed + round > settings_.share);
  }

  bool round() {
    std::vector<std::size_t> order = first_to_last();
    std::seed_seq seed{settings_.seed, static_cast<std::uint64_t>(settings_.launch),
                       candidates_.front().params->bytes.count, static_cast<std::uint64_t>(result_.rounds)};
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t slot : order) {
      if (stopped()) return false;
      announce(slot, fmt::format("round {}", result_.rounds + 1));
      std::vector<double> times;
      if (auto failure = sample(slot, calls_, repetitions_, times)) return fail(slot, *failure);
      if (wrong_) return wrong_data(slot, *std::exchange(wrong_, std::nullopt));
      if (auto failure = sample_touch(slot)) return fail(slot, *failure);
      const auto gpus = hooks_.gpu_states ? hooks_.gpu_states() : std::vector<GpuState>{};
      add_clocks(result_.results[slot].clocks, gpus);
      watch_.add_turn(last_replies_, gpus);
      round_medians_[slot].push_back(median(times));
      std::vector<double>& samples = result_.results[slot].samples.samples_ns;
      samples.insert(samples.end(), times.begin(), times.end());
    }
    return true;
  }

  bool measure_skew(std::size_t slot) {
    if (settings_.skew.count() == 0 || past_deadline()) return true;
    announce(slot, "skew");
    std::vector<SampleReply> replies;
    const MeasureSkew request{static_cast<int>(slot), settings_.skew, kSkewRepetitions};
    if (auto failure = ranks_of(slot).ask(request, replies)) return fail(slot, *failure);
    result_.results[slot].skew = describe_skew(replies, static_cast<double>(settings_.skew.count()));
    return true;
  }

  RankGroups& ranks_;
  const std::vector<Candidate>& candidates_;
  const AttemptSettings& settings_;
  const AttemptHooks& hooks_;
  TimePoint begun_;
  std::set<std::size_t> used_;  // rank groups
  int calls_ = 1;
  int repetitions_ = 0;           // of a turn; 0 before the calibration
  std::vector<double> calls_ns_;  // of each slot, roughly; 0 before the calibration
  std::vector<std::vector<double>> round_medians_;
  std::vector<std::vector<double>>
      touches_ns_;                         // of each slot: one in each round, where touching is taken off
  std::optional<std::string> wrong_;       // what the latest repetitions left wrong
  std::vector<SampleReply> last_replies_;  // to the last Sample
  RoundWatch watch_;
  bool cut_short_ = false;  // the ranks were ended with the command's time
  AttemptResult result_;
};

}  // namespace

AttemptResult attempt_group(RankGroups& ranks, const std::vector<Candidate>& candidates,
                            const AttemptSettings& settings, const AttemptHooks& hooks) {
  return Attempt(ranks, candidates, settings, hooks).run();
}

TurnLength turn_length(DeviceKind device) {
  if (device == DeviceKind::cuda) return {.target_ns = 3e6, .warm_up_below_ns = 1e6};
  return {};
}

}  // namespace ringside
