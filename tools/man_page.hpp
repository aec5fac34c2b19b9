#pragma once

#include <span>
#include <string>

#include "command_tree.hpp"

namespace ringside {

// ringside(1), for man: every command with its options.
std::string man_page(std::span<const DeclaredCommand> commands);

}  // namespace ringside
