#pragma once

#include <string>
#include <string_view>

namespace ringside {

// `text` as one line of valid UTF-8: control characters and bytes that are no UTF-8 become escapes (\n, \x1b,
// \xff). For messages, and for what is recorded, of text that somebody else wrote.
std::string printable(std::string_view text);

}  // namespace ringside
