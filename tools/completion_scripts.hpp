#pragma once

#include <span>
#include <string>

#include "command_tree.hpp"

namespace ringside {

// Scripts that complete commands, options and, where they are known, values; made of the option tables alone,
// so that none of them falls behind.
std::string bash_completion(std::span<const DeclaredCommand> commands);
std::string zsh_completion(std::span<const DeclaredCommand> commands);
std::string fish_completion(std::span<const DeclaredCommand> commands);

}  // namespace ringside
