#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ringside {

// `text` broken at blanks into lines of at most `width` columns (UTF-8), each ended by a newline. The first
// line is preceded by `lead`, the others by blanks of the same width. A word that is too long gets a line of
// its own and is not cut. Newlines and tabs count as blanks; other control characters are shown as escapes:
// what a rank or a library wrote must not steer the reader's terminal. The same goes for `lead`.
std::string wrap(std::string_view lead, std::string_view text, std::size_t width);

}  // namespace ringside
