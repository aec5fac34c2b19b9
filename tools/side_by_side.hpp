#pragma once

#include "console.hpp"
#include "outputs.hpp"
#include "probe_options.hpp"
#include "probe_request.hpp"
#include "subcommand.hpp"

namespace ringside {

// probe-comm --against: measures another build of ringside and this one in turn, a launch each, in the order
// ABBA, so that a drift of the machine hits both; compares them; and measures what looks slower once more,
// both sides afresh. `result` takes the comparison, with the raw samples of this build.
ExitCode measure_side_by_side(const ProbeOptions& options, const ProbeRequest& request,
                              const Invocation& invocation, Console& console, Document& result);

}  // namespace ringside
