#pragma once

#include "model/document.hpp"
#include "report/view.hpp"

namespace ringside {

// The parts of an init trace's View.

// All that ran, died or could not be decided; with `everything`, skipped steps and checks that held too, as
// dull ones.
StepList trace_step_list(const InitTrace& trace, bool everything);

// With its innermost `frames`.
Backtrace death_of(const TraceDeath& death, std::size_t frames);

// The story of the launch: cause, remedies, symptom, other launches, and last what is not the cause. `whole`:
// the cause repeats the first remedy.
Findings trace_findings(const Document& document, bool whole);

TitledGrid counterfactual_grid(const InitTrace& trace);

// Counterfactuals as a person reads them: those that differ in the last value alone share an item,
// "--moe-runner-backend auto (or cutlass, triton)", at the place of the first.
Alternatives alternatives(const std::vector<Counterfactual>& counterfactuals);

Timeline trace_timeline(const InitTrace& trace);

}  // namespace ringside
