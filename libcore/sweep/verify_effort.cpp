#include "sweep/verify_effort.hpp"

#include <algorithm>

#include "protocol/group_memory.hpp"
#include "sweep/checked_calls.hpp"

namespace ringside {
namespace {

// Calls of a large message that are compared: alone, in a burst of two, in place, and one of full range.
double share_of_calls(VerifyEffort effort) {
  if (effort == VerifyEffort::full) return 1;
  return effort == VerifyEffort::brief ? 0.4 : 0.2;
}

}  // namespace

VerifyPlan verify_plan(const Case& params, std::uint64_t seed, int launch) {
  const bool large = params.bytes > kLongToVerify;
  VerifyPlan plan;
  plan.seed = seed;
  plan.launch = launch;
  plan.calls_exact = large ? 2 : static_cast<int>(verification_pool(params.bytes));
  plan.calls_full_range = large ? 1 : 2;
  plan.replays = params.mode == Mode::graph || !large ? 2 : 1;
  plan.brief = launch > 0;
  return plan;
}

std::optional<std::string> judge(const std::vector<VerifyReply>& replies, const Numerics& numerics,
                                 Verification& verification) {
  verification.calls = replies.front().calls;
  verification.bitwise_across_ranks = true;
  for (const VerifyReply& reply : replies) {
    if (reply.mismatch) return reply.mismatch->text;
    verification.elements += reply.elements;
    if (reply.hashes != replies.front().hashes) verification.bitwise_across_ranks = false;
  }
  if (numerics.bitwise_across_ranks && !verification.bitwise_across_ranks)
    return "the ranks ended with different bits, which this strategy promises not to";
  return std::nullopt;
}

VerifyPlan with_effort(VerifyPlan plan, VerifyEffort effort) {
  if (effort == VerifyEffort::full) return plan;
  plan.brief = true;
  if (effort == VerifyEffort::least) plan.calls_exact = plan.replays = 1;
  return plan;
}

double VerifyPace::guess_ns(const Case& params, bool first, VerifyEffort effort) const {
  constexpr double kAsk_ns = 1e6;
  const double per_byte_ns = first ? 25.0 * params.ranks : 12.0;
  return kAsk_ns + share_of_calls(effort) * per_byte_ns * static_cast<double>(params.bytes.count);
}

VerifyEffort VerifyPace::choose(const Case& params, int launch, bool first, std::size_t slots,
                                std::chrono::nanoseconds time) const {
  const VerifyEffort whole = launch == 0 ? VerifyEffort::full : VerifyEffort::brief;
  constexpr double kMostOfTime = 0.6;  // the rest is for timing
  const double left_ns = kMostOfTime * static_cast<double>(time.count());
  for (VerifyEffort effort : {VerifyEffort::full, VerifyEffort::brief}) {
    if (effort < whole) continue;
    const double others = static_cast<double>(slots - 1) * guess_ns(params, false, effort);
    if (slowness_ * (guess_ns(params, first, effort) + others) <= left_ns) return effort;
  }
  return VerifyEffort::least;
}

void VerifyPace::note(const Case& params, bool first, VerifyEffort effort, std::chrono::nanoseconds took) {
  constexpr double kMost = 50;
  slowness_ =
      std::clamp(static_cast<double>(took.count()) / guess_ns(params, first, effort), 1 / kMost, kMost);
}

}  // namespace ringside
