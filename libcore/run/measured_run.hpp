#pragma once

#include <functional>

#include "base/clock.hpp"
#include "run/monitor.hpp"
#include "run/probe_request.hpp"
#include "sweep/sweep.hpp"

namespace ringside {

// What is measured behind the sweep, on ranks that `factory` starts; not called after an interruption.
using AfterSweep = std::function<void(RankGroupFactory& factory, const SweepHooks& hooks)>;

// Whether there is something to show for a run that ended in an error: what was calculated is none.
bool holds_measurement(const Document& document);

// Takes the findings that a measurement has its exit status from into a result that is drawn from it.
void keep_failures(const Document& measured, Document& result);

// This box as the ranks of the request see it.
Fingerprint machine_of(const ProbeRequest& request);

// Runs the plan on ranks of this box, and records the machine's fingerprint in the Document. SIGINT,
// SIGTERM and SIGHUP end it after the turn. Throws when there is nothing to show for it.
ExitCode measure(const Plan& plan, const ProbeRequest& request, const Clock& clock, RunMonitor& monitor,
                 Document& document, const AfterSweep& after = {});

}  // namespace ringside
