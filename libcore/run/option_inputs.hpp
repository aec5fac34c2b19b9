#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/catalogue.hpp"

namespace ringside {

// The files that options name, one after the other.

inline void add_file(const std::optional<std::string>& option, std::vector<std::string>& files) {
  if (option) files.push_back(*option);
}

// A file, or a scenario of this binary.
inline void add_scenario(const std::optional<std::string>& option, std::vector<std::string>& files) {
  if (option && names_file(*option)) files.push_back(*option);
}

}  // namespace ringside
