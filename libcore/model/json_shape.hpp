#pragma once

#include <string>
#include <string_view>

namespace ringside {

// "origin:line:column" of the byte at `at`.
std::string text_place(std::string_view text, std::size_t at, std::string_view origin);

// Refuses a text that no Document looks like before it costs memory and time to parse: deeper than 64 levels,
// or an object of more than 1000 members (the parser's time grows with their square). Whether it is JSON is
// left to the parser. Throws UsageError with the place.
void check_shape(std::string_view text, std::string_view origin);

}  // namespace ringside
