#include "stats/order.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ringside {
namespace {

constexpr double kTail = 0.025;  // probability left out on each side of a 95 % interval
constexpr double kTailDeviations = 1.959963984540054;
constexpr std::size_t kExactLimit = 200;

// The largest k for which the interval from the k-th smallest to the k-th largest of n samples covers the
// median with 95 %; 0 when there is none. The number of samples below the median is binomial(n, 1/2), and the
// k-th smallest lies above the median when fewer than k are below: P(binomial < k) must not exceed 2.5 %.
std::size_t interval_rank(std::size_t n) {
  const auto count = static_cast<double>(n);
  if (n > kExactLimit) {
    const double below =
        (count - 1) / 2 - kTailDeviations * std::sqrt(count) / 2;  // with continuity correction
    return static_cast<std::size_t>(below) + 1;
  }
  double term = std::ldexp(1.0, -static_cast<int>(n));  // P(binomial == k)
  double cumulative = 0;
  std::size_t k = 0;
  while (cumulative + term <= kTail) {
    cumulative += term;
    term *= (count - static_cast<double>(k)) / (static_cast<double>(k) + 1);
    ++k;
  }
  return k;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::optional<Interval> interval_of_sorted(std::span<const double> sorted) {
  const std::size_t k = interval_rank(sorted.size());
  if (k == 0) return std::nullopt;
  return Interval{sorted[k - 1], sorted[sorted.size() - k]};
}

}  // namespace

double quantile_sorted(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) {
  return quantile_sorted(sorted_copy(values), 0.5);
}

std::optional<Interval> median_interval95(std::span<const double> values) {
  return interval_of_sorted(sorted_copy(values));
}

std::optional<Interval> hull(std::span<const std::optional<Interval>> intervals) {
  std::optional<Interval> all;
  for (const auto& interval : intervals) {
    if (!interval) return std::nullopt;
    all = all ? Interval{std::min(all->low, interval->low), std::max(all->high, interval->high)} : *interval;
  }
  return all;
}

Statistics summarize(std::span<const double> values) {
  const std::vector<double> sorted = sorted_copy(values);
  Statistics statistics;
  statistics.samples = sorted.size();
  statistics.median_ns = quantile_sorted(sorted, 0.5);
  statistics.interval95_ns = interval_of_sorted(sorted);
  statistics.min_ns = sorted.front();
  if (sorted.size() >= 10) statistics.p90_ns = quantile_sorted(sorted, 0.9);
  if (sorted.size() >= 100) statistics.p99_ns = quantile_sorted(sorted, 0.99);
  return statistics;
}

}  // namespace ringside
