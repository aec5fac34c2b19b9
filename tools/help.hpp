#pragma once

#include <memory>
#include <span>
#include <string>

#include "subcommand.hpp"

namespace ringside {

// `ringside --help`.
std::string main_help(std::span<const std::unique_ptr<Subcommand>> subcommands);

// `ringside NAME --help`.
std::string subcommand_help(const Subcommand& subcommand, const OptionTable& options);

}  // namespace ringside
