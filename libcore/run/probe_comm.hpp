#pragma once

#include "base/clock.hpp"
#include "base/exit_code.hpp"
#include "model/document.hpp"
#include "run/monitor.hpp"
#include "run/probe_options.hpp"
#include "run/probe_request.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// Measures the plan, or calculates it for a described machine, or compares this build with another one, and
// stores what is to be kept (a table of custom, a calibration). The Document has everything there is when it
// returns. Throws when there is nothing to show.
ExitCode run_probe(const ProbeOptions& options, const ProbeRequest& request, const Plan& plan,
                   const Clock& clock, RunMonitor& monitor, Document& document);

}  // namespace ringside
