#pragma once

#include "base/exit_code.hpp"
#include "model/document.hpp"
#include "run/monitor.hpp"
#include "run/probe_options.hpp"
#include "run/probe_request.hpp"

namespace ringside {

// Measures the request with another build of ringside (options.against) and with this one, a launch each, in
// the order ABBA, so that a drift of the machine hits both; compares them; and measures what looks slower
// once more, both sides afresh, unless options.confirm is false. `result` takes the comparison with the raw
// samples of this build, and keeps its command and request. An interruption, or a build that hangs or is
// killed, ends it early: what both builds have measured by then is compared. Throws EnvironmentError when a
// build gives no result.
ExitCode measure_side_by_side(const ProbeOptions& options, const ProbeRequest& request, RunMonitor& monitor,
                              Document& result);

}  // namespace ringside
