#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/secrets.hpp"
#include "served/shell_script.hpp"

namespace ringside {

// The server's own command in a script: `python -m sglang.launch_server ...`, `sglang serve ...`, `vllm serve
// ...`, also behind env, exec, nohup, docker run and the like.
struct ServerCommand {
  std::string server = "sglang";     // that it starts: "sglang" or "vllm"
  int line = 0;                      // in the script
  std::vector<ShellWord> arguments;  // after the server's name
  std::vector<std::pair<std::string, ShellWord>> environment;
  bool open_ended = false;
  Withheld withheld;  // secrets that variables of the script held
};

// Throws UsageError that names `origin` when no command starts a server.
ServerCommand find_server_command(const ShellScript& script, const std::string& origin);

}  // namespace ringside
