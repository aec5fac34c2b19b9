#pragma once

#include "options.hpp"
#include "run/spec_options.hpp"

namespace ringside {

// The options of run-spec but those of its outputs; `target` must outlive the parsing.
void declare_spec_options(SpecOptions& target, OptionTable& options);

}  // namespace ringside
