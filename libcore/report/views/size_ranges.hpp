#pragma once

#include <span>
#include <string>

#include "base/units.hpp"

namespace ringside {

// `chosen` in words, neighbours in `all` drawn together: "2K to 512K, 4M". Both ascending; `chosen` is a
// subset.
std::string size_ranges(std::span<const Bytes> chosen, std::span<const Bytes> all);

}  // namespace ringside
