#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/comparison.hpp"
#include "model/row.hpp"

namespace ringside {

inline constexpr double kGateAlpha = 0.05;    // level of a one-sided rank test
inline constexpr double kLeastChange = 0.03;  // a smaller one is no regression, however certain

// The median of each launch that has one; samples that are no times are left out.
std::vector<double> launch_medians(const Row& row);

// What the launches of both sides say.
ComparisonStage look(std::vector<double> base_ns, std::vector<double> new_ns);

// The largest of the least change that counts, what a calibration found (absent: there is none), and what the
// launches at hand scatter by: the calibration is a promise about quiet days, the scatter sees the others.
void set_threshold(Comparison& comparison, const ComparisonStage& stage, std::optional<double> calibrated);

// What the whole interval must lie within for a case to be unchanged: the threshold but for the scatter and
// for what is expected between times, which make it harder to show a change and must not make it easier to
// show that there is none.
double unchanged_within(std::optional<double> calibrated);

enum class Change {
  none,    // the whole interval lies inside 1 + `within` and its reciprocal
  slower,  // the ratio lies above 1 + `beyond`, and the rank test rejects "not slower"
  faster,
  unclear  // neither is shown
};
Change judge(const ComparisonStage& stage, double beyond, double within);

}  // namespace ringside
