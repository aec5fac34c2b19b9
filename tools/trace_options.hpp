#pragma once

#include "options.hpp"
#include "run/trace_options.hpp"

namespace ringside {

// The options of trace-init but those of its outputs; `target` must outlive the parsing.
void declare_trace_options(TraceOptions& target, OptionTable& options);

}  // namespace ringside
