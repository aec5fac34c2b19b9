#pragma once

#include <string>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/estimate/posterior.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Sets the three lines of an estimate (decision, rests_on, missing) and what to measure next. `posterior`:
// null where the model is not known.
void say_decision(const Inquiry& inquiry, const Posterior* posterior, SpecEstimate& estimate);

// "0.82x (0.80 to 0.84)".
std::string ratio_text(const SpecRange& range);

// "measured here at batch 8: 372 tok/s with, 455 without: 0.82x (0.80 to 0.84)", or "not comparable: context
// 2K and 30K".
std::string pair_text(const SpecMeasured& pair, Origin origin);

}  // namespace ringside
