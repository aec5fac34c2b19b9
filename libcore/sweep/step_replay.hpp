#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "launch/rank_group.hpp"
#include "model/spec_result.hpp"
#include "sweep/plan.hpp"
#include "sweep/sweep.hpp"

namespace ringside {

// A step to be measured whole: its collectives one behind the other, as a server makes them.
struct StepProgram {
  std::string step;       // "verify"
  std::string candidate;  // as in SpecCandidate::strategy
  Mode mode = Mode::eager;
  std::vector<std::size_t> calls;      // indices into Plan::cases, in order
  std::chrono::nanoseconds compute{};  // idle time before each call; 0: none
  std::chrono::nanoseconds skew{};     // idle time that the last rank has more of, before each call
};

// Measures the programs in interleaved rounds on one group of fresh ranks, as many as `budget` allows (three
// at least, twelve at most); every case must have been verified by the sweep before. Programs of another rank
// group have ranks of their own, after the others; one whose cases are of several is left out. The idle time
// of a program with compute is measured alone in each round too: what the calls add to it is exposed. A
// failure leaves a Finding of kind "replay-failed", "replay-lost" or "replay-timeout", an interruption an
// incomplete document, and both what was measured until then.
std::vector<SpecReplay> replay_steps(const Plan& plan, const std::vector<StepProgram>& programs,
                                     RankGroupFactory& factory, const Clock& clock,
                                     std::chrono::nanoseconds budget, const SweepHooks& hooks,
                                     Document& document);

}  // namespace ringside
