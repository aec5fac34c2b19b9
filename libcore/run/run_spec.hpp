#pragma once

#include "base/clock.hpp"
#include "base/exit_code.hpp"
#include "model/document.hpp"
#include "run/monitor.hpp"
#include "run/spec_options.hpp"
#include "run/spec_request.hpp"

namespace ringside {

// Replays or calculates the communication that the request asks for, and answers it in document.spec. The
// Document has everything there is when it returns. Throws when there is nothing to show.
ExitCode run_spec(const SpecOptions& options, const SpecRequest& request, const Clock& clock,
                  RunMonitor& monitor, Document& document);

}  // namespace ringside
