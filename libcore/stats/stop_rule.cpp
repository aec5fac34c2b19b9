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
                       std::chrono::nanoseconds elapsed, std::chrono::nanoseconds share) {
  if (round_medians_ns.empty()) return StopReason::interval;  // no case is left that could need another round
  const std::size_t rounds = round_medians_ns.front().size();
  const auto reached = [&](int limit) { return rounds >= static_cast<std::size_t>(std::max(limit, 0)); };

  const bool enough = reached(rule.min_rounds);
  if (enough && std::all_of(round_medians_ns.begin(), round_medians_ns.end(), [&](const auto& medians) {
        return narrow_enough(medians, rule.relative_half_width);
      })) {
    return StopReason::interval;
  }
  if (reached(rule.max_rounds)) return StopReason::rounds;
  if (enough && elapsed >= share) return StopReason::budget;
  return StopReason::none;
}

}  // namespace ringside
