#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ringside {

// How far two sets of launches of the same code come apart: percentiles of |ratio - 1|, where the ratio is
// that of the larger to the smaller of the two (Hodges and Lehmann). Times are positive, in any unit.

// Measured: the `share` quantile (0..1) over all ways to halve `launches`; over 2,000 of them, drawn from a
// fixed seed, where there are more. Needs four launches; of an odd number the halves differ by one.
double halving_scatter(std::span<const double> launches, double share);

// Expected from how the launches of each set scatter around their own middle, whatever lies between the two
// sets: the 99th percentile for sets of these sizes, by Student's distribution of the logarithms. 0 where a
// set has no two launches.
double expected_scatter99(std::span<const double> base, std::span<const double> now);

// Expected between two times of measuring, from one middle each of earlier times: the 99th percentile, by
// Student's distribution of the logarithms, pooled over sets that have nothing to do with each other.
struct ExpectedShift {
  double ratio99 = 0;       // of |ratio - 1|
  std::size_t freedom = 0;  // degrees of: the times but one of each set
};

// Absent where fewer than two degrees of freedom are left.
std::optional<ExpectedShift> expected_shift99(std::span<const std::vector<double>> sets);

}  // namespace ringside
