#pragma once

#include <string>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/estimate/prediction.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// What to measure next, in a sentence: `uncertainties` with the largest share first, or empty.
std::string next_measurement(const Inquiry& inquiry, const SpecEstimate& estimate,
                             const std::vector<Uncertainty>& uncertainties);

// The commands of one speculative run at the asked batch, for the server that is known, else for vLLM, SGLang
// and TensorRT-LLM. Acceptance is synthetic: the length that is known, else the one to break even; the time of
// a step does not depend on which tokens are accepted.
std::vector<SpecLines> commands_to_measure(const Inquiry& inquiry, const SpecEstimate& estimate);

// Settings that follow from the best drafts of each batch of the table at the first context: vLLM's setting by
// batch, SGLang's flags and, with several numbers of drafts, its adaptive file. Empty where acceptance is not
// known.
std::vector<SpecLines> settings_to_paste(const Inquiry& inquiry, const SpecEstimate& estimate);

}  // namespace ringside
