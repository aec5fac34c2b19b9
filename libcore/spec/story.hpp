#pragma once

#include <optional>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/step_sheet.hpp"

namespace ringside {

// What a scenario's reported numbers say about the ones that it lacks.
struct Story {
  std::vector<SpecExplanation> explanations;  // what an unreported quantity would have to be
  std::vector<std::string> evidence;          // what follows from the reported numbers alone
  bool consistent = true;                     // some possible value explains them
};

// `baseline`: the communication of the server that was observed; `step_ms`: its step at the asked point. A
// scenario without a reported throughput with speculation has no story.
std::optional<Story> explain_observed(const StepSheet& sheet, const Communication& baseline,
                                      const SpecRange& step_ms);

}  // namespace ringside
