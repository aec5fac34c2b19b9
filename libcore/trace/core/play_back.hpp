#pragma once

#include "model/init_trace.hpp"

namespace ringside {

// Opens and closes an NVTX range for each step of a trace, in their order and nested as the steps are:
// "target 0-7 model_runner.py:457 expert_location_metadata = None". What counts is the order; the lengths
// mean nothing.
void play_back(const InitTrace& trace);

}  // namespace ringside
