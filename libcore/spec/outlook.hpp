#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/step_sheet.hpp"

namespace ringside {

// One candidate with all its thresholds. Speeds with speculation are there where acceptance is known. The
// best number of drafts is the smallest that no other beats by more than 1 % and the acceptance's band.
SpecCandidate judge_candidate(const StepSheet& sheet, const std::optional<KnownAcceptance>& acceptance,
                              const Communication& communication);

// Tokens a second over draft tokens, over acceptance length and over the time of a call.
std::vector<SpecCurve> candidate_curves(const StepSheet& sheet,
                                        const std::optional<KnownAcceptance>& acceptance,
                                        const Communication& communication);

}  // namespace ringside
