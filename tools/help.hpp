#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "subcommand.hpp"

namespace ringside {

// `ringside --help`.
std::string main_help(std::span<const std::unique_ptr<Subcommand>> subcommands);

// What each exit status means, a line or two of text under a heading.
std::string_view exit_status_text();

// `ringside NAME --help`.
std::string subcommand_help(const Subcommand& subcommand, const OptionTable& options);

}  // namespace ringside
