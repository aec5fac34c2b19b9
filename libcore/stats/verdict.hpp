#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/row.hpp"

namespace ringside {

// One launch's per-round medians of two candidates, round by round (same length).
struct PairedRounds {
  std::vector<double> a_ns;
  std::vector<double> b_ns;
};

struct RatioVerdict {
  enum class Kind { a_wins, b_wins, tie };
  Kind kind = Kind::tie;
  double ratio = 1;  // b / a: > 1 means a is faster; median over launches of the launch medians
  std::vector<std::optional<Interval>>
      launch_intervals;  // 95 % interval of the per-round ratio b / a in each launch
};

// a wins only if in each launch the whole interval of b / a lies above 1 + margin, and there are at least
// `min_launches` launches; b likewise. Everything else is a tie: within one launch two copies of the same
// code differ for good, because buffers and placement decide.
RatioVerdict judge(std::span<const PairedRounds> launches, double margin = 0.01, int min_launches = 3);

}  // namespace ringside
