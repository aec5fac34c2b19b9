#include "stats/order.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"

using ringside::Interval;
using ringside::median;
using ringside::median_interval95;
using ringside::quantile_sorted;
using ringside::summarize;

namespace {

std::vector<double> ascending(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i + 1);
  return values;
}

// The share of `trials` series of n exponential samples whose interval holds the true median.
double coverage(std::size_t n, int trials, std::mt19937_64& random) {
  std::exponential_distribution<double> distribution(1.0);
  const double truth = std::log(2.0);
  int held = 0;
  std::vector<double> values(n);
  for (int trial = 0; trial < trials; ++trial) {
    for (double& value : values) value = distribution(random);
    const auto interval = median_interval95(values);
    REQUIRE(interval);
    held += interval->low <= truth && truth <= interval->high;
  }
  return static_cast<double>(held) / trials;
}

}  // namespace

TEST_CASE("a quantile interpolates between the neighbouring order statistics") {
  const std::vector<double> sorted{10, 20, 30, 50};
  CHECK(quantile_sorted(sorted, 0.0) == 10);
  CHECK(quantile_sorted(sorted, 0.5) == 25);
  CHECK(quantile_sorted(sorted, 0.9) == Catch::Approx(44));
  CHECK(quantile_sorted(sorted, 1.0) == 50);
  CHECK(quantile_sorted(std::vector<double>{7}, 0.9) == 7);
}

TEST_CASE("the median does not depend on the order of the samples") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
}

TEST_CASE("no pair of order statistics of fewer than six samples covers 95 %") {
  for (std::size_t n = 0; n < 6; ++n) CHECK_FALSE(median_interval95(ascending(n)));
}

TEST_CASE("the interval of the median has the ranks of the binomial tables") {
  // Conover, Practical Nonparametric Statistics: the largest k with P(binomial(n, 1/2) < k) <= 2.5 %.
  const struct {
    std::size_t n;
    double low, high;
  } table[] = {{6, 1, 6},   {8, 1, 8},   {9, 2, 8},    {10, 2, 9},
               {15, 4, 12}, {20, 6, 15}, {30, 10, 21}, {100, 40, 61}};
  for (const auto& row : table) {
    INFO("n = " << row.n);
    const auto interval = median_interval95(ascending(row.n));
    REQUIRE(interval);
    CHECK(interval->low == row.low);
    CHECK(interval->high == row.high);
  }
}

TEST_CASE("the normal approximation continues the exact interval without a jump") {
  double previous = 0;
  for (std::size_t n = 190; n <= 210; ++n) {
    const auto interval = median_interval95(ascending(n));
    REQUIRE(interval);
    CHECK(interval->low + interval->high == static_cast<double>(n + 1));  // symmetric ranks
    CHECK(interval->low >= previous);
    CHECK(interval->low <= previous + (previous == 0 ? 1000 : 1));
    previous = interval->low;
  }
}

TEST_CASE("the interval holds the true median as often as the binomial distribution says") {
  constexpr int kTrials = 4000;
  const struct {
    std::size_t n;
    double coverage;
  } table[] = {{6, 0.96875}, {10, 0.978516}, {31, 0.970551}, {120, 0.964676}, {400, 0.959769}};
  std::mt19937_64 random(20240229);
  for (const auto& [n, expected] : table) {
    const double share = coverage(n, kTrials, random);
    INFO("n = " << n << ", coverage " << share);
    CHECK(expected >= 0.95);
    CHECK(share == Catch::Approx(expected).margin(3.5 * std::sqrt(expected * (1 - expected) / kTrials)));
  }
}

TEST_CASE("equal samples give an interval without width") {
  const auto statistics = summarize(std::vector<double>(12, 250.0));
  CHECK(statistics.median_ns == 250);
  CHECK(statistics.min_ns == 250);
  REQUIRE(statistics.interval95_ns);
  CHECK(statistics.interval95_ns->low == 250);
  CHECK(statistics.interval95_ns->high == 250);
}

TEST_CASE("a statistic that the samples can't give is absent") {
  const auto one = summarize(std::vector<double>{5});
  CHECK(one.samples == 1);
  CHECK(one.median_ns == 5);
  CHECK_FALSE(one.interval95_ns);

  CHECK_FALSE(summarize(ascending(9)).p90_ns);
  REQUIRE(summarize(ascending(10)).p90_ns);
  CHECK(*summarize(ascending(10)).p90_ns == Catch::Approx(9.1));
  CHECK_FALSE(summarize(ascending(99)).p99_ns);
  REQUIRE(summarize(ascending(100)).p99_ns);
  CHECK(*summarize(ascending(100)).p99_ns == Catch::Approx(99.01));
}

TEST_CASE("the hull of intervals reaches from the lowest end to the highest, if all are known") {
  using Intervals = std::vector<std::optional<Interval>>;
  const auto all = hull(Intervals{Interval{3, 5}, Interval{1, 2}, Interval{4, 4.5}});
  REQUIRE(all);
  CHECK(all->low == 1);
  CHECK(all->high == 5);
  CHECK_FALSE(hull(Intervals{Interval{3, 5}, std::nullopt}));
  CHECK_FALSE(hull(Intervals{}));
}
