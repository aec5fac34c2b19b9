#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scenario/toml_value.hpp"

namespace ringside {

inline constexpr std::size_t kMaxTomlBytes = std::size_t{1} << 20;
inline constexpr int kMaxTomlNesting = 32;  // of arrays and inline tables, and of dots in a key

// Reads a TOML 1.0 document. Throws UsageError "origin:line:column: what" when it isn't one or is over the
// limits.
TomlEntries parse_toml(std::string_view text, const std::string& origin);

}  // namespace ringside
