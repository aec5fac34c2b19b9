#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/request.hpp"
#include "run/spec_options.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// A question after everything that takes the place of its scenario's numbers. What options say wins, then
// files of measurements, then the model's files, then the scenario itself.
struct SpecQuestion {
  Inquiry inquiry;
  std::optional<std::string> machine;        // a profile; none for these GPUs
  std::optional<CollectiveTimes> allreduce;  // of a file
  std::vector<Finding> notes;                // what was read from files, and what no longer holds
  std::vector<InputText> inputs;             // the texts that were read
  Withheld withheld;                         // secrets that they held
};

// Throws UsageError.
SpecQuestion resolve_question(const SpecOptions& options);

}  // namespace ringside
