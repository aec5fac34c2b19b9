#include "sweep/checked_calls.hpp"

#include <algorithm>
#include <vector>

#include "protocol/requests.hpp"

namespace ringside {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t kFewest = 40;
constexpr std::uint64_t kFirst = 4;  // tell how long the others take
constexpr double kRequest_ns = 2e9;  // a request is short against the time-out of a turn
constexpr std::uint64_t kBehindLongRun = 488;

class RowOfCalls {
 public:
  RowOfCalls(RenewableGroup& ranks, int slot, const Candidate& candidate, const AttemptSettings& settings,
             const Clock& clock, CandidateResult& result)
      : ranks_(ranks),
        slot_(slot),
        candidate_(candidate),
        settings_(settings),
        clock_(clock),
        result_(result),
        begun_(clock.now()) {}

  std::optional<CheckFailure> check() {
    const bool first = settings_.launch == 0;
    const std::uint64_t wanted = first ? settings_.checked_calls : std::min(settings_.checked_calls, kFewest);
    while (checked_ < wanted) {
      const std::uint64_t more = checked_ == 0 ? std::min(wanted, kFirst) : fitting(wanted);
      if (more == 0) break;
      if (auto failure = ask({.calls = more, .calls_before = checked_})) return failure;
    }
    if (!first || settings_.long_run == 0 || candidate_.library || !long_run_fits()) return std::nullopt;
    return ask(
        {.calls = kBehindLongRun, .calls_before = settings_.long_run, .unchecked = settings_.long_run});
  }

 private:
  // The long run is no part of check_time: half a second at most, and an eighth of what is left.
  bool long_run_fits() const {
    const nanoseconds elapsed = clock_.now() - begun_;
    if (checked_ == 0) return false;
    const auto takes = elapsed / static_cast<int>(checked_) * static_cast<int>(settings_.long_run);
    if (takes > std::chrono::milliseconds(500)) return false;
    return !settings_.deadline || takes < (*settings_.deadline - clock_.now()) / 8;
  }

  // A case's part of what the group may take, which may be far more than its share of the budget.
  nanoseconds for_fewest() const {
    if (!settings_.deadline) return nanoseconds::max();
    const nanoseconds most = (settings_.tight ? settings_.share : *settings_.deadline - begun_) / 8;
    return settings_.check_time < most / 4 ? 4 * settings_.check_time : most;
  }

  // How many more there is time for.
  std::uint64_t fitting(std::uint64_t wanted) const {
    const nanoseconds elapsed = clock_.now() - begun_;
    const double call_ns =
        std::max(1.0, static_cast<double>(elapsed.count()) / static_cast<double>(checked_));
    const auto more = [&](nanoseconds time, std::uint64_t calls) {
      return std::min(static_cast<double>((time - elapsed).count()) / call_ns,
                      static_cast<double>(calls) - static_cast<double>(checked_));
    };
    const double calls =
        std::max(more(settings_.check_time, wanted), more(for_fewest(), std::min(wanted, kFewest)));
    if (calls < 1) return 0;
    return static_cast<std::uint64_t>(std::min(calls, std::max(1.0, kRequest_ns / call_ns)));
  }

  // A graph of a small message has all its calls; others are cut to what is asked for.
  int calls_per_replay(std::uint64_t calls) const {
    const bool large = candidate_.params->bytes > kLongToVerify;
    if (settings_.fixed_calls && !large) return settings_.max_calls;
    return static_cast<int>(std::min<std::uint64_t>(
        calls, large ? kFewest / 2 : static_cast<std::uint64_t>(settings_.max_calls)));
  }

  std::optional<CheckFailure> ask(CallPlan plan) {
    plan.calls_per_replay = calls_per_replay(plan.calls);
    plan.plain_producer = result_.unsafe.has_value();
    std::vector<CallReply> replies;
    if (auto failure = ranks_.ask(CheckCalls{slot_, plan}, replies))
      return CheckFailure{std::move(*failure), false};
    for (const CallReply& reply : replies) {
      if (!reply.wrong) continue;
      if (!candidate_.library || plan.plain_producer)
        return CheckFailure{{TurnOutcome::Kind::error, *reply.wrong, {}}, true};
      return ask_without_producer(plan, *reply.wrong);
    }
    const std::uint64_t calls = replies.front().calls;
    if (plan.unchecked == 0) checked_ += calls;
    Verification& verification = result_.verification;
    verification.calls += calls;
    verification.elements += calls * candidate_.params->count() * replies.size();
    verification.calls_in_a_row = std::max(verification.calls_in_a_row, checked_);
    return std::nullopt;
  }

  // Wrong behind the late producer, right behind a copy and wrong behind the producer again: only then the
  // producer makes the difference.
  std::optional<CheckFailure> ask_without_producer(CallPlan plan, const std::string& wrong) {
    result_.unsafe = wrong;
    if (auto failure = ask(plan)) return failure;
    plan.plain_producer = false;
    std::vector<CallReply> replies;
    if (auto failure = ranks_.ask(CheckCalls{slot_, plan}, replies))
      return CheckFailure{std::move(*failure), false};
    if (std::ranges::any_of(replies, [](const CallReply& reply) { return reply.wrong.has_value(); }))
      return std::nullopt;
    return CheckFailure{{TurnOutcome::Kind::error, wrong + " (and right when it was made again)", {}}, true};
  }

  RenewableGroup& ranks_;
  int slot_;
  const Candidate& candidate_;
  const AttemptSettings& settings_;
  const Clock& clock_;
  CandidateResult& result_;
  TimePoint begun_;
  std::uint64_t checked_ = 0;
};

}  // namespace

void plan_checks(const SweepRequest& request, std::size_t cases, const Case& params,
                 AttemptSettings& settings) {
  constexpr std::uint64_t kBeyond16Bits = 65536;
  settings.check_time = request.budget / static_cast<int>(cases) / 10;
  if (request.verify_calls > 0) {
    settings.checked_calls = static_cast<std::uint64_t>(request.verify_calls);
    settings.check_time = nanoseconds::max();
  } else if (request.profile) {
    settings.checked_calls = 0;
  } else if (params.device == DeviceKind::cuda && params.bytes <= kLongToVerify &&
             params.mode == Mode::graph) {
    settings.long_run = kBeyond16Bits;
  }
}

std::string describe_checks(bool cut) {
  std::string text =
      "each case with a time was verified in every launch: exact integers bitwise, before timing and behind "
      "every "
      "timed repetition; in the first launch also calls in a row (how many: calls_in_a_row of the row) and "
      "full "
      "range, against the sum that the strategy declares";
  if (cut) text += "; for want of time some cases had fewer calls verified, with exact integers alone";
  return text;
}

std::optional<CheckFailure> check_calls_in_a_row(RenewableGroup& ranks, int slot, const Candidate& candidate,
                                                 const AttemptSettings& settings, const Clock& clock,
                                                 CandidateResult& result) {
  return RowOfCalls(ranks, slot, candidate, settings, clock, result).check();
}

}  // namespace ringside
