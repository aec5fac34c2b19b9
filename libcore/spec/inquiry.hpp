#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/interval.hpp"
#include "served/speed_reading.hpp"
#include "spec/acceptance.hpp"
#include "spec/estimate/point.hpp"
#include "spec/estimate/workload.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// A speed of a server, and whether it was measured or only reported.
struct ObservedReading {
  SpeedReading reading;
  Origin origin = Origin::measured;
};

// What is known of acceptance.
struct KnownAcceptance {
  Acceptance acceptance;
  Origin origin = Origin::assumed;
  double sigma = 0;   // of log(length), beside the acceptance's own: a range, a spread over windows
  std::string words;  // "length 2.40, measured"
};

// A question about speculation after scenario, files and options were put together.
struct Inquiry {
  SpecScenario scenario;            // with the batch, drafts and context that are asked for
  std::optional<ModelFacts> facts;  // none: the model is not known
  ServerWorkload workload;          // where the model is known
  std::vector<ObservedReading> observations;
  std::optional<KnownAcceptance> acceptance;
  bool drafts_known = true;              // somebody said how many
  bool layout_known = true;              // somebody said over how many GPUs
  std::vector<int> batches;              // of the table; empty: the scenario's alone
  std::vector<double> contexts;          // likewise
  std::vector<std::string> assumptions;  // what nobody said and was taken, one phrase each: never firm
};

// The point that is asked for, at this batch and context, with so many drafts (0: none). A tree stays as it
// is; it has only its own number of levels.
StepPoint point_of(const SpecScenario& scenario, int batch, double context, int drafts);

// The scenario's own.
StepPoint asked_point(const Inquiry& inquiry);

// Drafts, verify rows and context of a reading, from its arguments, else the scenario's.
StepPoint point_of(const SpecScenario& scenario, const SpeedReading& reading);

// The number of drafts that a reading with speculation says, else the scenario's.
int drafts_of(const SpecScenario& scenario, const SpeedReading& reading);

// One sigma of log(tokens_s) of a reading: from its spread over windows, else 3 %, at least 1 %.
double relative_error(const SpeedReading& reading);

}  // namespace ringside
