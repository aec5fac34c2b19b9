#pragma once

#include "options.hpp"
#include "run/gate_options.hpp"

namespace ringside {

// --calibration and --fail-on; `gate` must outlive the parsing.
void declare_gate_options(GateOptions& gate, OptionTable& options);

}  // namespace ringside
