#pragma once

#include <optional>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/step_model.hpp"

namespace ringside {

// What a scenario's observed numbers say about the ones that it lacks.
struct Story {
  std::vector<SpecExplanation> explanations;  // what an unreported quantity would have to be
  std::vector<std::string> evidence;          // what follows from the observed numbers alone
  bool consistent = true;                     // some possible value explains them
  std::optional<Quantity> length;             // acceptance length that explains the speculative throughput
};

// `baseline`: the communication of the server that was observed. A scenario without an observed speculative
// throughput has no story.
std::optional<Story> explain_observed(const SpecScenario& scenario, const ComputeTimes& compute,
                                      const Communication& baseline);

}  // namespace ringside
