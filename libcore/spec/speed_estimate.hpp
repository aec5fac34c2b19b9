#pragma once

#include <optional>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/estimate/posterior.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Why an observation with speculation is not used where no acceptance is known.
inline constexpr const char* kLengthUnknown = "its acceptance length is not known";

// Everything that was observed and has a speed, for the model.
std::vector<SpeedObservation> speed_observations(const Inquiry& inquiry);

// The calibrated model of an inquiry whose model is known.
Posterior calibrate(const Inquiry& inquiry);

// A speed-up with everything that a verdict needs, once the inquiry's own uncertainty is taken in.
struct JudgedSpeed {
  std::optional<SpecRange> plain_tokens_s;
  std::optional<SpecRange> tokens_s;
  std::optional<SpecRange> speedup;
  SpecRange break_even;
  SpecSlowPath slow;
  std::optional<double> pays;
  const char* verdict = "open";    // pays, loses, open
  const char* certainty = "open";  // firm, likely, open
  double effective_draws = 0;
  std::vector<std::string> doubts;
};

// What observations say of the model as a whole.
struct ModelFit {
  bool impossible = false;  // one of them can't be: nothing is decided
  bool misfit = false;      // one lies more than 10 % beyond the model's interval: nothing is firm
};

ModelFit fit_of(const std::vector<ObservedSpeed>& observed);

JudgedSpeed judge_speed(const Inquiry& inquiry, const SpeedUp& up, const ModelFit& fit);

SpecRange range_of(const SpeedRange& estimate);

// All numbers of the answer; the sentences are left to say_decision(). `posterior`: null where the model is
// not known.
SpecEstimate estimate_speeds(const Inquiry& inquiry, const Posterior* posterior);

}  // namespace ringside
