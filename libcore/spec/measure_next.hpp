#pragma once

#include <string>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/estimate/prediction.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// What a run to measure next is.
enum class NextRun {
  none,       // nothing is missing, or no run says it
  synthetic,  // with speculation and synthetic acceptance: the time of a step does not depend on which tokens
              // are accepted
  accepting,  // with speculation on one's own text
  plain       // without speculation
};

struct NextMeasurement {
  NextRun run = NextRun::none;
  std::string sentence;  // empty: nothing
};

// What narrows the answer most: `uncertainties` with the largest share first, or empty.
NextMeasurement next_measurement(const Inquiry& inquiry, const SpecEstimate& estimate,
                                 const std::vector<Uncertainty>& uncertainties);

// The commands of that run at the asked batch, for the server that is known, else for vLLM, SGLang and
// TensorRT-LLM. A synthetic length is the one that is known, else the one to break even.
std::vector<SpecLines> commands_to_measure(const Inquiry& inquiry, const SpecEstimate& estimate, NextRun run);

// Settings that follow from the best drafts of each batch of the table at the first context: vLLM's setting
// by batch, SGLang's flags and, with several numbers of drafts, its adaptive file. Empty where acceptance is
// not known.
std::vector<SpecLines> settings_to_paste(const Inquiry& inquiry, const SpecEstimate& estimate);

}  // namespace ringside
