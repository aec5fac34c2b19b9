#pragma once

#include <vector>

#include "model/finding.hpp"
#include "model/request.hpp"
#include "run/spec_options.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// A scenario after everything that takes the place of its numbers. What --set says wins, then logs, then the
// config, then the scenario itself.
struct SpecQuestion {
  SpecScenario scenario;
  std::vector<Finding> notes;     // what was read from files, and what of the scenario no longer holds
  std::vector<InputText> inputs;  // the texts that were read
  Withheld withheld;              // secrets that they held
};

// Throws UsageError.
SpecQuestion resolve_scenario(const SpecOptions& options);

// The machine that a scenario is of.
std::string machine_name(const SpecScenario& scenario);

}  // namespace ringside
