#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "spec/step_model.hpp"

namespace ringside {

// What run-spec concludes from all candidates.
struct SpecVerdict {
  std::vector<std::string> decides;  // what decides, one sentence each
  std::string recommendation;        // begins with "tie" when the ranges of the inputs leave it open
  std::string confidence;
};

// `corners`: the same model with the uncertain inputs at their ends. `tied`: entry names that a measurement
// could not tell apart, or empty.
SpecVerdict give_verdict(const SpecScenario& scenario, const StepModel& model,
                         const std::vector<StepModel>& corners,
                         const std::vector<Communication>& communications,
                         const std::vector<SpecCandidate>& candidates, const std::vector<std::string>& tied);

}  // namespace ringside
