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

// What a group has taken so far.
struct Spent {
  int rounds = 0;                      // disturbed ones included
  std::chrono::nanoseconds elapsed{};  // of `share`, the group's part of the budget
  std::chrono::nanoseconds share{};
  bool at_limit = false;  // another round would take time that others need, or that is not there
};

// `round_medians_ns[k]`: the medians of case k in its undisturbed rounds so far (equal lengths), by which a
// group counts as settled. Disturbed rounds only take their time.
StopReason should_stop(const StopRule& rule, std::span<const std::vector<double>> round_medians_ns,
                       const Spent& spent);

}  // namespace ringside
