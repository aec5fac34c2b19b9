#include "stats/stop_rule.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace ringside {
namespace {

bool narrow_enough(const std::vector<double>& round_medians_ns, double relative_half_width) {
  const auto interval = median_interval95(round_medians_ns);
  return interval && (interval->high - interval->low) / 2 <= relative_half_width * median(round_medians_ns);
}

}  // namespace

StopReason should_stop(const StopRule& rule, std::span<const std::vector<double>> round_medians_ns,
                       const Spent& spent) {
  if (round_medians_ns.empty()) return StopReason::interval;  // no case is left that could need another round
  const std::size_t clean = round_medians_ns.front().size();
  const bool settled =
      clean >= static_cast<std::size_t>(std::max(rule.min_rounds, 0)) &&
      std::all_of(round_medians_ns.begin(), round_medians_ns.end(),
                  [&](const auto& medians) { return narrow_enough(medians, rule.relative_half_width); });
  if (settled) return StopReason::interval;
  if (spent.rounds >= rule.max_rounds) return StopReason::rounds;
  const bool over = spent.rounds >= rule.min_rounds && spent.elapsed >= spent.share;
  return over || (spent.at_limit && spent.rounds > 0) ? StopReason::budget : StopReason::none;
}

}  // namespace ringside
