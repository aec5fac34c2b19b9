#pragma once

#include <optional>

#include "machine/profile.hpp"
#include "run/probe_request.hpp"
#include "run/spec_options.hpp"
#include "run/spec_question.hpp"

namespace ringside {

// The collectives that a step sends, on the device that was chosen.
struct SpecSweep {
  ProbeRequest probe;
  Plan plan;
};

// What run-spec is asked once scenario, files and options are put together.
struct SpecRequest {
  SpecQuestion question;
  std::optional<MachineProfile> machine;  // behind what is modelled; none for these GPUs
  std::optional<SpecSweep> sweep;         // none with one GPU, or where neither machine nor model is known
};

// Throws UsageError, EnvironmentError as probe-comm's.
SpecRequest resolve(const SpecOptions& options);

}  // namespace ringside
