#include "stats/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ringside {
namespace {

constexpr double kCountable = 9007199254740992;  // 2^53: from here on doubles skip whole numbers

double arrangements(std::size_t m, std::size_t n) {
  double count = 1;
  for (std::size_t i = 1; i <= m; ++i) count = count * static_cast<double>(n + i) / static_cast<double>(i);
  return count;
}

double normal_tail(double deviations) {  // P(Z >= deviations)
  return std::erfc(deviations / std::sqrt(2.0)) / 2;
}

// Both sets as one ascending list: for each value twice its rank, the mean of their ranks for equal values,
// so that all are whole; and which set it is from.
struct Ranked {
  std::vector<std::size_t> doubled_ranks;
  std::size_t doubled_sum_of_now = 0;
  bool tied = false;
  double tie_correction = 0;  // sum of t^3 - t over groups of t equal values
};

Ranked rank(std::span<const double> base, std::span<const double> now) {
  std::vector<std::pair<double, bool>> values;
  for (const double value : base) values.emplace_back(value, false);
  for (const double value : now) values.emplace_back(value, true);
  std::sort(values.begin(), values.end());
  Ranked ranked;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t last = first;
    while (last < values.size() && values[last].first == values[first].first) ++last;
    const auto equal = static_cast<double>(last - first);
    ranked.tied = ranked.tied || last - first > 1;
    ranked.tie_correction += equal * equal * equal - equal;
    for (std::size_t i = first; i < last; ++i) {
      ranked.doubled_ranks.push_back(first + last + 1);
      if (values[i].second) ranked.doubled_sum_of_now += first + last + 1;
    }
    first = last;
  }
  return ranked;
}

// ways[s]: how many sets of `chosen` of the ranks have the (doubled) sum s. Tie or no tie.
std::vector<double> rank_sum_ways(const std::vector<std::size_t>& doubled_ranks, std::size_t chosen) {
  std::size_t most = 0;
  for (const std::size_t rank : doubled_ranks) most += rank;
  std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : doubled_ranks) {
    for (std::size_t taken = chosen; taken > 0; --taken) {
      for (std::size_t sum = most; sum >= rank; --sum) ways[taken][sum] += ways[taken - 1][sum - rank];
    }
  }
  return ways[chosen];
}

// ways[u]: how many arrangements of m and n values without ties have u pairs in which the first set's value
// is the larger one. The counts of (m, n) follow from those of (m - 1, n) and (m, n - 1), by which set the
// largest value belongs to.
std::vector<double> pair_ways(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> of_m(m + 1, {1.0});  // n = 0: no pair
  for (std::size_t others = 1; others <= n; ++others) {
    for (std::size_t i = 1; i <= m; ++i) {
      std::vector<double> ways(i * others + 1, 0.0);
      for (std::size_t u = 0; u < of_m[i].size(); ++u) ways[u] += of_m[i][u];
      for (std::size_t u = 0; u < of_m[i - 1].size(); ++u) ways[u + others] += of_m[i - 1][u];
      of_m[i] = std::move(ways);
    }
  }
  return of_m[m];
}

double sum(std::span<const double> ways) {
  double total = 0;
  for (const double count : ways) total += count;
  return total;
}

RankTest tails(std::span<const double> ways, std::size_t seen, double all) {
  return {.p_slower = sum(ways.subspan(seen)) / all, .p_faster = sum(ways.first(seen + 1)) / all};
}

// The k-th smallest and the k-th largest pairwise ratio bound the interval; 0: there is none.
std::size_t interval_rank(std::size_t m, std::size_t n, double alpha) {
  const double all = arrangements(m, n);
  const auto pairs = static_cast<double>(m * n);
  if (all >= kCountable) {
    const double deviation = std::sqrt(pairs * static_cast<double>(m + n + 1) / 12);
    std::size_t k = 0;
    while (normal_tail((pairs / 2 - static_cast<double>(k) - 0.5) / deviation) <= alpha) ++k;
    return k;
  }
  const std::vector<double> ways = pair_ways(m, n);
  double below = 0;
  std::size_t k = 0;
  while ((below += ways[k]) <= alpha * all) ++k;
  return k;
}

}  // namespace

RankTest rank_test(std::span<const double> base, std::span<const double> now) {
  if (base.empty() || now.empty()) return {};
  const Ranked ranked = rank(base, now);
  const double all = arrangements(now.size(), base.size());
  const std::size_t least = now.size() * (now.size() + 1);  // doubled sum of the lowest ranks
  if (all < kCountable) {
    if (ranked.tied)
      return tails(rank_sum_ways(ranked.doubled_ranks, now.size()), ranked.doubled_sum_of_now, all);
    return tails(pair_ways(now.size(), base.size()), (ranked.doubled_sum_of_now - least) / 2, all);
  }
  const auto m = static_cast<double>(now.size());
  const auto n = static_cast<double>(base.size());
  const double pairs = static_cast<double>(ranked.doubled_sum_of_now - least) / 2;
  const double variance = m * n / 12 * (m + n + 1 - ranked.tie_correction / ((m + n) * (m + n - 1)));
  if (variance <= 0) return {};
  const double deviation = std::sqrt(variance);
  return {.p_slower = normal_tail((pairs - 0.5 - m * n / 2) / deviation),
          .p_faster = normal_tail((m * n / 2 - pairs - 0.5) / deviation)};
}

RatioEstimate hodges_lehmann(std::span<const double> base, std::span<const double> now, double alpha) {
  RatioEstimate estimate;
  std::vector<double> ratios;
  ratios.reserve(base.size() * now.size());
  for (const double b : base) {
    for (const double n : now) ratios.push_back(n / b);
  }
  if (ratios.empty()) return estimate;
  std::sort(ratios.begin(), ratios.end());
  estimate.ratio = std::sqrt(ratios[(ratios.size() - 1) / 2]) * std::sqrt(ratios[ratios.size() / 2]);
  const std::size_t k = interval_rank(now.size(), base.size(), alpha);
  if (k > 0) estimate.interval = Interval{ratios[k - 1], ratios[ratios.size() - k]};
  return estimate;
}

}  // namespace ringside
