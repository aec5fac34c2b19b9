#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/enum_names.hpp"
#include "model/field_range.hpp"
#include "model/interval.hpp"

namespace ringside {

// One look at a case from both sides. The replicate is the launch, a group of fresh processes: its median
// stands for it.
struct ComparisonStage {
  std::vector<double> base_ns;
  std::vector<double> new_ns;
  std::optional<double> ratio;
  std::optional<Interval> ratio_interval90;
  double p_slower = 1;
  double p_faster = 1;
};

template <typename Fields>
void describe(Fields& fields, const ComparisonStage*) {
  fields.record(
      "comparison_stage",
      "One look at a case from both sides. A launch, a group of fresh processes, is one replicate.");
  fields.add("base_ns", &ComparisonStage::base_ns, "Median of each launch.", ranges::kTime);
  fields.add("new_ns", &ComparisonStage::new_ns, "Median of each launch.", ranges::kTime);
  fields.add(
      "ratio", &ComparisonStage::ratio,
      "New by base, Hodges and Lehmann's estimate: above 1 the new one is slower. Null where a side has "
      "no launch.",
      ranges::kRatio);
  fields.add("ratio_interval90", &ComparisonStage::ratio_interval90,
             "What one-sided rank tests of level 0.05 leave; null below three launches a side.",
             ranges::kRatio);
  fields.add("p_slower", &ComparisonStage::p_slower, "Of the one-sided rank test.", ranges::kProbability);
  fields.add("p_faster", &ComparisonStage::p_faster, "Of the one-sided rank test.", ranges::kProbability);
}

// What the threshold of a case is the largest of.
enum class ThresholdOrigin {
  least,        // what counts as a change at all
  calibration,  // what a calibration of this machine stored for the case
  scatter       // what these launches scatter by
};

template <>
struct EnumNames<ThresholdOrigin> {
  static constexpr std::string_view what = "origin of a threshold";
  static constexpr std::string_view names[] = {"least", "calibration", "scatter"};
};

std::string_view to_string(ThresholdOrigin origin);

// How a case compares with an earlier measurement of it. The verdict is the row's status.
struct Comparison {
  double threshold = 0;
  ThresholdOrigin threshold_origin = ThresholdOrigin::least;
  std::string reason;
  std::vector<ComparisonStage> stages;
};

template <typename Fields>
void describe(Fields& fields, const Comparison*) {
  fields.record("comparison", "How a case compares with an earlier measurement of it.");
  fields.add("threshold", &Comparison::threshold,
             "A ratio above 1 + threshold, or below the reciprocal of that, can be a change.",
             ranges::kRatio);
  fields.add("threshold_origin", &Comparison::threshold_origin,
             "What the threshold is the largest of: the least change that counts, the calibration of the "
             "machine, the scatter of these launches.");
  fields.add("reason", &Comparison::reason, "Of the verdict, in a few words.");
  fields.add(
      "stages", &Comparison::stages,
      "The first look and its confirmation by fresh launches; empty where there was nothing to compare.");
}

}  // namespace ringside
