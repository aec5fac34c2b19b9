#pragma once

#include "machine/profile.hpp"
#include "run/probe_request.hpp"
#include "run/spec_options.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// What run-spec is asked once scenario, config, logs and flags are put together.
struct SpecRequest {
  SpecScenario scenario;
  std::vector<Finding> notes;  // what was read, and what could not be
  MachineProfile machine;      // behind what is modelled
  ProbeRequest probe;          // the device that was chosen
  Plan plan;                   // the messages that a step sends, on that device
};

// Throws UsageError, EnvironmentError as probe-comm's.
SpecRequest resolve(const SpecOptions& options);

}  // namespace ringside
