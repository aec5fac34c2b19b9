#include "measure/group_attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kSampleTarget_ns = 2e6;  // one sample: long against the clock, short against a time slice
constexpr double kTurnTarget_ns = 8e6;
constexpr int kMaxRepetitions = 10;

// The slowest rank's time of each repetition, per call.
std::vector<double> slowest_per_call(const std::vector<SampleReply>& replies, int calls) {
  std::vector<double> slowest = replies.front().times_ns;
  for (const SampleReply& reply : replies) {
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], reply.times_ns[i]);
  }
  for (double& time : slowest) time /= calls;
  return slowest;
}

class Attempt {
 public:
  Attempt(Team& team, const std::vector<Contestant>& contestants, const AttemptSettings& settings,
          const AttemptHooks& hooks)
      : team_(team),
        contestants_(contestants),
        settings_(settings),
        hooks_(hooks),
        begun_(hooks.clock.now()) {
    result_.results.resize(contestants.size());
    for (std::size_t slot = 0; slot < contestants.size(); ++slot) {
      result_.results[slot].case_index = contestants[slot].case_index;
      result_.results[slot].samples.launch = settings.launch;
    }
    round_medians_.resize(contestants.size());
  }

  AttemptResult run() {
    static_cast<void>(begin() && each(&Attempt::prepare) && each(&Attempt::verify) && calibrate() &&
                      rounds() && end());
    return std::move(result_);
  }

 private:
  bool fail(std::size_t slot, TurnFailure failure, bool wrong_data = false) {
    result_.failed = AttemptResult::Failed{contestants_[slot].case_index, wrong_data, std::move(failure)};
    return false;
  }

  bool stopped() {
    if (!hooks_.stop_requested()) return false;
    result_.interrupted = true;
    return true;
  }

  void announce(std::size_t slot, const std::string& what) { hooks_.turn(*contestants_[slot].params, what); }

  bool each(bool (Attempt::*step)(std::size_t)) {
    for (std::size_t slot = 0; slot < contestants_.size(); ++slot) {
      if (stopped() || !(this->*step)(slot)) return false;
    }
    return true;
  }

  bool begin() {
    const Bytes message = contestants_.front().params->bytes;
    if (auto failure = team_.ask(BeginGroup{message, verification_pool(message)})) return fail(0, *failure);
    std::vector<LinkLimits> limits;
    if (auto failure = team_.ask(MeasureLimits{message}, limits)) return fail(0, *failure);
    result_.limits = limits.front();
    return true;
  }

  bool prepare(std::size_t slot) {
    announce(slot, "prepare");
    std::vector<PrepareReply> replies;
    if (auto failure = team_.ask(Prepare{static_cast<int>(slot), *contestants_[slot].params}, replies)) {
      return fail(slot, *failure);
    }
    double slowest = 0;
    for (const PrepareReply& reply : replies) slowest = std::max(slowest, reply.first_call_ns);
    result_.results[slot].samples.first_call_ns = slowest;
    return true;
  }

  bool verify(std::size_t slot) {
    announce(slot, "verify");
    VerifyPlan plan;
    plan.seed = settings_.seed;
    plan.launch = settings_.launch;
    plan.calls_exact = static_cast<int>(verification_pool(contestants_[slot].params->bytes));
    std::vector<VerifyReply> replies;
    if (auto failure = team_.ask(Verify{static_cast<int>(slot), plan}, replies)) return fail(slot, *failure);
    Verification& verification = result_.results[slot].verification;
    verification.calls = replies.front().calls;
    verification.bitwise_across_ranks = true;
    for (const VerifyReply& reply : replies) {
      if (reply.mismatch) return fail(slot, {TurnOutcome::Kind::error, reply.mismatch->text, {}}, true);
      verification.elements += reply.elements;
      if (reply.hashes != replies.front().hashes) verification.bitwise_across_ranks = false;
    }
    if (contestants_[slot].numerics.bitwise_across_ranks && !verification.bitwise_across_ranks) {
      return fail(slot,
                  {TurnOutcome::Kind::error,
                   "the ranks ended with different bits, which this strategy promises not to",
                   {}},
                  true);
    }
    return true;
  }

  // All contestants get the same number of calls in a sample and of samples in a turn: what suits the
  // slowest.
  bool calibrate() {
    double slowest = 0;
    for (std::size_t slot = 0; slot < contestants_.size(); ++slot) {
      announce(slot, "calibrate");
      const int calls = settings_.fixed_calls ? settings_.max_calls : 1;
      std::vector<double> times;
      if (auto failure = sample(slot, calls, 3, times)) return fail(slot, *failure);
      slowest = std::max(slowest, median(times));
    }
    calls_ = settings_.fixed_calls ? settings_.max_calls
                                   : std::clamp(static_cast<int>(kSampleTarget_ns / std::max(slowest, 1.0)),
                                                1, settings_.max_calls);
    repetitions_ =
        std::clamp(static_cast<int>(kTurnTarget_ns / std::max(slowest * calls_, 1.0)), 1, kMaxRepetitions);
    for (ContestantResult& result : result_.results) {
      result.samples.calls_per_sample = calls_;
      result.samples.samples_per_round = repetitions_;
    }
    return true;
  }

  std::optional<TurnFailure> sample(std::size_t slot, int calls, int repetitions,
                                    std::vector<double>& times) {
    std::vector<SampleReply> replies;
    auto failure = team_.ask(Sample{static_cast<int>(slot), calls, repetitions}, replies);
    if (!failure) times = slowest_per_call(replies, calls);
    return failure;
  }

  bool rounds() {
    while (result_.reason == StopReason::none) {
      if (!round()) return false;
      ++result_.rounds;
      result_.reason =
          should_stop(settings_.rule, round_medians_, hooks_.clock.now() - begun_, settings_.share);
    }
    return true;
  }

  bool round() {
    std::vector<std::size_t> order(contestants_.size());
    for (std::size_t slot = 0; slot < order.size(); ++slot) order[slot] = slot;
    std::seed_seq seed{settings_.seed, static_cast<std::uint64_t>(settings_.launch),
                       contestants_.front().params->bytes.count, static_cast<std::uint64_t>(result_.rounds)};
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t slot : order) {
      if (stopped()) return false;
      announce(slot, fmt::format("round {}", result_.rounds + 1));
      std::vector<double> times;
      if (auto failure = sample(slot, calls_, repetitions_, times)) return fail(slot, *failure);
      round_medians_[slot].push_back(median(times));
      std::vector<double>& samples = result_.results[slot].samples.samples_ns;
      samples.insert(samples.end(), times.begin(), times.end());
    }
    return true;
  }

  bool end() {
    if (auto failure = team_.ask(EndGroup{})) return fail(0, *failure);
    return true;
  }

  Team& team_;
  const std::vector<Contestant>& contestants_;
  const AttemptSettings& settings_;
  const AttemptHooks& hooks_;
  TimePoint begun_;
  int calls_ = 1;
  int repetitions_ = 1;
  std::vector<std::vector<double>> round_medians_;
  AttemptResult result_;
};

}  // namespace

AttemptResult attempt_group(Team& team, const std::vector<Contestant>& contestants,
                            const AttemptSettings& settings, const AttemptHooks& hooks) {
  return Attempt(team, contestants, settings, hooks).run();
}

std::size_t verification_pool(Bytes message) {
  constexpr std::uint64_t kMemory = 32ull << 20;
  return std::clamp<std::size_t>(kMemory / std::max<std::uint64_t>(message.count, 1), 2, 8);
}

}  // namespace ringside
