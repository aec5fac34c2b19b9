#pragma once

#include <chrono>
#include <span>
#include <vector>

namespace ringside {

// When a group of interleaved cases has been measured enough. Looked at when a round ends.
struct StopRule {
  int min_rounds = 10;
  int max_rounds = 200;
  double relative_half_width = 0.01;  // of the 95 % interval of each case's median
};

enum class StopReason { none, interval, rounds, budget };

// `round_medians_ns[k]`: the per-round medians of case k so far (equal lengths). `elapsed` and `share`: time
// spent on this group and its share of the budget.
StopReason should_stop(const StopRule& rule, std::span<const std::vector<double>> round_medians_ns,
                       std::chrono::nanoseconds elapsed, std::chrono::nanoseconds share);

}  // namespace ringside
