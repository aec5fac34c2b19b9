#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace ringside {

// A span of time for people to give: "45" and "45s" (seconds), "500ms", "2m", "1.5h". Throws UsageError that
// names the text.
Nanoseconds parse_duration(std::string_view text);

// "45 s", "2 min 5 s", "1 h 2 min": whole seconds, for estimates and time left.
std::string format_duration(Nanoseconds duration);

}  // namespace ringside
