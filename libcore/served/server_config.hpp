#pragma once

#include <string>
#include <vector>

#include "base/secrets.hpp"
#include "served/shell_script.hpp"

namespace ringside {

// The flags in a server's YAML configuration file (`--config`), as words of a command line. The file is a
// flat mapping of flag names to scalars or lists, with secrets masked and counted. Throws UsageError with the
// line for anything else.
std::vector<ShellWord> read_server_config(const std::string& path, Withheld& withheld);

// The same of a text that came from `origin`.
std::vector<ShellWord> parse_server_config(const std::string& text, const std::string& origin,
                                           Withheld& withheld);

}  // namespace ringside
