#pragma once

#include <optional>
#include <span>

#include "model/row.hpp"

namespace ringside {

// The q-quantile (0..1) of `sorted` by linear interpolation between order statistics. `sorted` is ascending,
// not empty.
double quantile_sorted(std::span<const double> sorted, double q);

double median(std::span<const double> values);

// Distribution-free 95 % interval of the median from order statistics (binomial, exact up to 200 samples,
// normal approximation above). Absent below 6 samples, where no pair of order statistics covers 95 %.
std::optional<Interval> median_interval95(std::span<const double> values);

// The smallest interval that holds all of them; absent when one of them is, or there is none.
std::optional<Interval> hull(std::span<const std::optional<Interval>> intervals);

// All of it; `values` in ns, not empty.
Statistics summarize(std::span<const double> values);

}  // namespace ringside
