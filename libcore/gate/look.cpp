#include "gate/look.hpp"

#include <algorithm>
#include <cmath>

#include "stats/clean_rounds.hpp"
#include "stats/order.hpp"
#include "stats/rank_test.hpp"
#include "stats/scatter.hpp"

namespace ringside {

std::vector<double> launch_medians(const Row& row) {
  std::vector<double> medians;
  for (const LaunchSamples& launch : row.launches) {
    std::vector<double> times;
    std::ranges::copy_if(standing_samples(launch), std::back_inserter(times),
                         [](double time) { return std::isfinite(time) && time > 0; });
    if (!times.empty()) medians.push_back(median(times));
  }
  return medians;
}

ComparisonStage look(std::vector<double> base_ns, std::vector<double> new_ns) {
  ComparisonStage stage;
  stage.base_ns = std::move(base_ns);
  stage.new_ns = std::move(new_ns);
  if (stage.base_ns.empty() || stage.new_ns.empty()) return stage;
  const RatioEstimate estimate = hodges_lehmann(stage.base_ns, stage.new_ns, kGateAlpha);
  stage.ratio = estimate.ratio;
  stage.ratio_interval90 = estimate.interval;
  const RankTest test = rank_test(stage.base_ns, stage.new_ns);
  stage.p_slower = test.p_slower;
  stage.p_faster = test.p_faster;
  return stage;
}

void set_threshold(Comparison& comparison, const ComparisonStage& stage, std::optional<double> calibrated) {
  comparison.threshold = kLeastChange;
  comparison.threshold_origin = ThresholdOrigin::least;
  const auto raise = [&](double threshold, ThresholdOrigin origin) {
    if (threshold <= comparison.threshold) return;
    comparison.threshold = threshold;
    comparison.threshold_origin = origin;
  };
  if (calibrated) raise(*calibrated, ThresholdOrigin::calibration);
  raise(expected_scatter99(stage.base_ns, stage.new_ns), ThresholdOrigin::scatter);
}

double unchanged_within(std::optional<double> calibrated) {
  return std::max(kLeastChange, calibrated.value_or(0));
}

Change judge(const ComparisonStage& stage, double beyond, double within) {
  if (!stage.ratio || !stage.ratio_interval90) return Change::unclear;
  if (*stage.ratio > 1 + beyond && stage.p_slower <= kGateAlpha) return Change::slower;
  if (*stage.ratio < 1 / (1 + beyond) && stage.p_faster <= kGateAlpha) return Change::faster;
  if (stage.ratio_interval90->high < 1 + within && stage.ratio_interval90->low > 1 / (1 + within))
    return Change::none;
  return Change::unclear;
}

}  // namespace ringside
