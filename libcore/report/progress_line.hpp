#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace ringside {

// One line that says where a long run stands: " 37%  ring 2K bf16 eager, round 7  18 s left", never wider
// than `width` columns (UTF-8), without a newline or control characters. `done` is 0..1 (clamped); `left`
// below zero: not known. Where room is short, the middle of `text` gives way to "...", then the time left
// goes, then the text.
std::string progress_line(std::string_view text, double done, std::chrono::nanoseconds left,
                          std::size_t width);

// `text` in at most `width` columns, its middle replaced by "..." if need be.
std::string elide_middle(std::string_view text, std::size_t width);

}  // namespace ringside
