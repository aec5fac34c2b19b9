#pragma once

#include <string>

#include "subcommand.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// The nsys command that captures what `probe-comm --profile` was called for, ready for a shell: each group of
// cases is a report of its own. Of the call, --plan is left out.
std::string profile_command(const Invocation& invocation, const Plan& plan);

}  // namespace ringside
