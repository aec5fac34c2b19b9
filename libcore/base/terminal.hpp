#pragma once

#include <string_view>

#include "base/environment.hpp"

namespace ringside {

enum class ColorChoice { automatic, always, never };

// "auto", "always" or "never"; throws UsageError that names the nearest.
ColorChoice parse_color_choice(std::string_view text);

bool is_terminal(int fd);

// Columns of the terminal behind `fd`, or `fallback` when it is none or doesn't say.
int terminal_width(int fd, int fallback = 100);

// Whether text for `fd` is coloured: automatic means a terminal that is not "dumb", outside CI, unless
// NO_COLOR is set.
bool use_color(ColorChoice choice, int fd, const ToolEnvironment& environment);

// Whether a line on `fd` may be overwritten in place: a terminal that is not "dumb", outside CI.
bool may_animate(int fd, const ToolEnvironment& environment);

}  // namespace ringside
