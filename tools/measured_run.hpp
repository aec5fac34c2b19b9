#pragma once

#include <functional>

#include "base/clock.hpp"
#include "console.hpp"
#include "measure/sweep.hpp"
#include "outputs.hpp"
#include "probe_request.hpp"

namespace ringside {

// What is measured behind the sweep, on ranks that `factory` starts; not called after an interruption.
using AfterSweep = std::function<void(RankGroupFactory& factory, const SweepHooks& hooks)>;

// Runs the plan on ranks of this box, with its fingerprint, progress, files as rows finish, and Ctrl-C.
// Throws when there is nothing to show for it.
ExitCode measure(const Plan& plan, const ProbeRequest& request, const Clock& clock, Console& console,
                 Outputs& outputs, Document& document, const AfterSweep& after = {});

}  // namespace ringside
