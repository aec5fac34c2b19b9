#include "sweep/verify_effort.hpp"

#include <algorithm>

namespace ringside {
namespace {

// Calls of a large message that are compared: alone, in a burst of two, in place, and one of full range.
double share_of_calls(VerifyEffort effort) {
  if (effort == VerifyEffort::full) return 1;
  return effort == VerifyEffort::brief ? 0.4 : 0.2;
}

}  // namespace

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

VerifyEffort VerifyPace::choose(const Case& params, bool first, std::size_t slots, VerifyEffort whole,
                                std::chrono::nanoseconds time) const {
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
