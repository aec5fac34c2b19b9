#include "stats/verdict.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// b / a of each round. A round in which one of them has no time says nothing and is left out.
std::vector<double> round_ratios(const PairedRounds& launch) {
  if (launch.a_ns.size() != launch.b_ns.size())
    throw InternalError("candidates have different numbers of rounds");
  std::vector<double> ratios;
  ratios.reserve(launch.a_ns.size());
  for (std::size_t round = 0; round < launch.a_ns.size(); ++round) {
    const double a = launch.a_ns[round];
    const double b = launch.b_ns[round];
    if (a > 0 && b > 0) ratios.push_back(b / a);
  }
  return ratios;
}

}  // namespace

RatioVerdict judge(std::span<const PairedRounds> launches, double margin, int min_launches) {
  RatioVerdict verdict;
  std::vector<double> medians;
  for (const PairedRounds& launch : launches) {
    const std::vector<double> ratios = round_ratios(launch);
    verdict.launch_intervals.push_back(median_interval95(ratios));
    if (!ratios.empty()) medians.push_back(median(ratios));
  }
  if (!medians.empty()) verdict.ratio = median(medians);
  if (launches.empty() || launches.size() < static_cast<std::size_t>(std::max(min_launches, 0)))
    return verdict;

  // b's mirror image of 1 + margin is its reciprocal: naming the two the other way round must mirror the
  // verdict.
  const auto all = [&](auto beyond) {
    return std::all_of(verdict.launch_intervals.begin(), verdict.launch_intervals.end(),
                       [&](const auto& interval) { return interval && beyond(*interval); });
  };
  if (all([&](const Interval& ratio) { return ratio.low > 1 + margin; }))
    verdict.kind = RatioVerdict::Kind::a_wins;
  if (all([&](const Interval& ratio) { return ratio.high < 1 / (1 + margin); })) {
    verdict.kind = RatioVerdict::Kind::b_wins;
  }
  return verdict;
}

}  // namespace ringside
