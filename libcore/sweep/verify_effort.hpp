#pragma once

#include <chrono>

#include "model/case.hpp"
#include "protocol/verification.hpp"

namespace ringside {

// How much of a case's verification is done where time is short.
enum class VerifyEffort {
  full,   // all of the plan
  brief,  // back-to-back calls with exact integers
  least   // one call with exact integers
};

// The plan cut down.
VerifyPlan with_effort(VerifyPlan plan, VerifyEffort effort);

// Predicts what verification takes from what it took in this run.
class VerifyPace {
 public:
  // The most that can be done with `slots` cases like this one within `time`; `whole`: what is wanted.
  // `first`: the group's first case, whose outputs are compared with every rank's data; the others' are
  // compared with the first one's.
  VerifyEffort choose(const Case& params, bool first, std::size_t slots, VerifyEffort whole,
                      std::chrono::nanoseconds time) const;

  // One case took so long.
  void note(const Case& params, bool first, VerifyEffort effort, std::chrono::nanoseconds took);

 private:
  double guess_ns(const Case& params, bool first, VerifyEffort effort) const;

  double slowness_ = 8;  // of this run against the guess; before anything is known rather too much
};

}  // namespace ringside
