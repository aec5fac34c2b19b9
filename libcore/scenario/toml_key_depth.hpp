#pragma once

#include <string>
#include <string_view>

namespace ringside {

// Throws UsageError when a key or table header of a TOML text has more than `limit` dots. toml++ before 3.4
// makes a table for each and frees them by recursion, so that one line of a few hundred kilobytes would
// overflow the stack.
void check_key_depth(std::string_view text, int limit, const std::string& origin);

}  // namespace ringside
