#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/init_trace.hpp"

namespace ringside {

// How the steps of an init trace are shown, whatever the format.

// The steps worth a line: all that ran, died or could not be decided; with `everything`, skipped ones and
// checks that held too.
std::vector<const TraceStep*> shown_steps(const InitTrace& trace, bool everything);

std::string step_place(const TraceStep& step);     // "model_executor/model_runner.py:457"
std::string step_who(const TraceStep& step);       // "target 0-7", "main"
std::string step_because(const TraceStep& step);   // "worker.draft is False"; empty: nothing decided it
std::string_view mark_text(StepMark mark);         // "set it to None"; empty: no mark
std::string frame_place(const TraceFrame& frame);  // "eplb/expert_location_dispatch.py:39 in init_new"

}  // namespace ringside
