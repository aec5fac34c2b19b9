#pragma once

#include "base/exit_code.hpp"
#include "model/document.hpp"
#include "run/trace_options.hpp"

namespace ringside {

// Follows the launch that the options describe, or reads its log, or runs it, and fills document.trace. Exit
// status 6 when an outcome was expected and it is another one, 130 when the live run was interrupted. Throws
// UsageError, EnvironmentError.
ExitCode run_trace(const TraceOptions& options, Document& document);

}  // namespace ringside
