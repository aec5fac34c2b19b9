#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/step_model.hpp"

namespace ringside {

inline constexpr int kMostDraftTokens = 16;  // that are looked at for the best number

inline constexpr double kTieMargin = 0.01;  // two ways that are closer are a tie

// One candidate with all its thresholds. The best number of draft tokens is the present one unless another is
// clearly better.
SpecCandidate judge_candidate(const SpecScenario& scenario, const StepModel& model,
                              const Communication& communication);

// Tokens a second over draft tokens, over acceptance length and over the time of a call.
std::vector<SpecCurve> candidate_curves(const SpecScenario& scenario, const StepModel& model,
                                        const Communication& communication);

}  // namespace ringside
