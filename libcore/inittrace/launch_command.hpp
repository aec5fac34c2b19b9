#pragma once

#include <string>
#include <vector>

#include "inittrace/launch.hpp"
#include "inittrace/pipeline.hpp"
#include "inittrace/shell_script.hpp"

namespace ringside {

// The server's own command in a script: `python -m sglang.launch_server ...`, `sglang serve ...`, also behind
// env, exec, nohup, docker run and the like.
struct ServerCommand {
  int line = 0;                      // in the script
  std::vector<ShellWord> arguments;  // after the server's name
  std::vector<std::pair<std::string, ShellWord>> environment;
  bool open_ended = false;
};

// Throws UsageError that names `origin` when no command starts a server.
ServerCommand find_server_command(const ShellScript& script, const std::string& origin);

// Reads the arguments with the flags of a version: aliases, --flag=value, unambiguous beginnings of names,
// switches, lists, --config FILE (whose keys the command line overrides). Odd things become findings of the
// launch: flags that the version does not have, values that it does not accept, values that can't be known.
// Throws UsageError for a --config file that can't be read.
Launch read_launch(const ServerCommand& command, const Pipeline& pipeline);

}  // namespace ringside
