#pragma once

#include <optional>
#include <span>

#include "model/row.hpp"

namespace ringside {

// Two independent sets of positive times, in any order and unit: does the second come out larger? Nothing is
// assumed of their distribution but that they are exchangeable when nothing has changed.

// One-sided probabilities of the rank test of Mann and Whitney: how often a set `now` would rank so high
// (p_slower), or so low (p_faster), if both were drawn from the same distribution. Exact, ties included,
// while the number of arrangements can be counted in 53 bits (28 against 28); from there on the normal
// approximation.
struct RankTest {
  double p_slower = 1;
  double p_faster = 1;
};
RankTest rank_test(std::span<const double> base, std::span<const double> now);

// now / base by Hodges and Lehmann: the median of all pairwise ratios (of two middle ones the geometric
// mean), with the interval that the two one-sided rank tests of level `alpha` leave; it covers the true ratio
// with 1 - 2 alpha. The interval is absent where the sets are too small for such a test: 3 against 3 is the
// least for alpha = 0.05.
struct RatioEstimate {
  double ratio = 1;
  std::optional<Interval> interval;
};
RatioEstimate hodges_lehmann(std::span<const double> base, std::span<const double> now, double alpha);

}  // namespace ringside
