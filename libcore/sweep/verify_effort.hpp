#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/row.hpp"
#include "protocol/verification.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// How much of a case's verification is done where time is short.
enum class VerifyEffort {
  full,   // all of the plan
  brief,  // back-to-back calls with exact integers
  least   // one call with exact integers
};

// What verification of a case does in a launch: thorough in the first one; in the later ones, what fresh
// buffers and fresh processes can break.
VerifyPlan verify_plan(const Case& params, std::uint64_t seed, int launch);

// What was wrong, of all ranks' replies (not empty); notes in `verification` what was compared.
std::optional<std::string> judge(const std::vector<VerifyReply>& replies, const Numerics& numerics,
                                 Verification& verification);

// The plan cut down.
VerifyPlan with_effort(VerifyPlan plan, VerifyEffort effort);

// Predicts what verification takes from what it took in this run.
class VerifyPace {
 public:
  // The most that can be done in this launch with `slots` cases like this one within `time`. `first`: the
  // group's first case, whose outputs are compared with every rank's data; the others' are compared with the
  // first one's.
  VerifyEffort choose(const Case& params, int launch, bool first, std::size_t slots,
                      std::chrono::nanoseconds time) const;

  // One case took so long.
  void note(const Case& params, bool first, VerifyEffort effort, std::chrono::nanoseconds took);

 private:
  double guess_ns(const Case& params, bool first, VerifyEffort effort) const;

  double slowness_ = 8;  // of this run against the guess; before anything is known rather too much
};

}  // namespace ringside
