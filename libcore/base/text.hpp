#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// The candidate with the smallest edit distance to `name`, or empty when none is close (more than a third of
// the letters, two at least, differ).
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

// " (did you mean 'ring'?)", or "" when nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string lower_case(std::string_view text);  // of ASCII letters

// Columns that a UTF-8 text takes on a terminal (code points; no wide scripts are printed by ringside).
std::size_t display_width(std::string_view text);

// `text` followed (or, with right = true, preceded) by blanks up to `width` columns.
std::string pad(std::string_view text, std::size_t width, bool right = false);

}  // namespace ringside
