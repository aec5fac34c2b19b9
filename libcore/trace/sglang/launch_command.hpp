#pragma once

#include "served/server_command.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// Reads the arguments with the flags of a version: aliases, --flag=value, unambiguous beginnings of names,
// switches, lists, --config FILE (whose keys the command line overrides). Odd things become findings of the
// launch: flags that the version does not have, values that it does not accept, values that can't be known.
// Throws UsageError for a --config file that can't be read.
Launch read_launch(const ServerCommand& command, const Pipeline& pipeline);

}  // namespace ringside
