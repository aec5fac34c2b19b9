#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace ringside {

inline constexpr std::size_t kMaxSizes = 1000;

// Message sizes as --sizes and scenarios write them: a list of sizes and ranges, "2K,14336,1M:64M:x2". A
// range is FIRST:LAST:xFACTOR, FIRST:LAST:+STEP, or FIRST:LAST for x2; LAST is a member when the progression
// meets it. Throws UsageError unless there are 1 to kMaxSizes sizes, none of them 0, in strictly ascending
// order.
std::vector<Bytes> parse_size_list(std::string_view text);

// The last rule alone, for sizes that came one by one.
void check_ascending(const std::vector<Bytes>& sizes);

}  // namespace ringside
