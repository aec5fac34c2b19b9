#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/interval.hpp"

namespace ringside {

// One look at a case from both sides. The replicate is the launch, a group of fresh processes: its median
// stands for it.
struct ComparisonStage {
  std::vector<double> base_ns;  // median of each launch
  std::vector<double> new_ns;
  std::optional<double> ratio;  // new / base by Hodges and Lehmann: above 1 the new one is slower
  std::optional<Interval>
      ratio_interval90;  // what one-sided rank tests of level 0.05 leave; absent below 3 launches a side
  double p_slower = 1;   // of the one-sided rank test
  double p_faster = 1;
};

// What the threshold of a case is the largest of.
enum class ThresholdOrigin {
  least,        // what counts as a change at all
  calibration,  // what a calibration of this machine stored for the case
  scatter       // what these launches scatter by
};

std::string_view to_string(ThresholdOrigin origin);
ThresholdOrigin parse_threshold_origin(
    std::string_view text);  // throws UsageError that lists the valid names

// How a case compares with an earlier measurement of it. The verdict is the row's status.
struct Comparison {
  double threshold = 0;  // a ratio above 1 + threshold, or below the reciprocal of that, can be a change
  ThresholdOrigin threshold_origin = ThresholdOrigin::least;
  std::string reason;                   // of the verdict, in a few words
  std::vector<ComparisonStage> stages;  // the first look and its confirmation; none: nothing to compare
};

}  // namespace ringside
