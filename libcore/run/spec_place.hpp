#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/spec_options.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// Where a question's server runs, as far as somebody said.
struct ServerPlace {
  std::string gpu;                     // a prior of compute times; empty: none for these GPUs
  std::optional<std::string> machine;  // a profile behind modelled collectives; none for these GPUs
  bool assumed = false;                // nobody said: the scenario's, which nobody chose
};

// `chosen`: somebody named the scenario. Throws UsageError for a GPU that nothing is fitted for.
ServerPlace find_place(const SpecOptions& options, const SpecScenario& scenario, bool chosen);

}  // namespace ringside
