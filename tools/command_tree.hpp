#pragma once

#include <memory>
#include <vector>

#include "subcommand.hpp"

namespace ringside {

// Every command, in the order of the help.
std::vector<std::unique_ptr<Subcommand>> make_subcommands();

// A command with what it declares: what help, completion and the manual page are made of.
struct DeclaredCommand {
  std::unique_ptr<Subcommand> command;  // owns what the options write to
  OptionTable options;
};

std::vector<DeclaredCommand> declared_commands();

}  // namespace ringside
