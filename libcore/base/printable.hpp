#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ringside {

// Text that somebody else wrote must not steer what shows it. Dangerous are control characters (C0, DEL, C1:
// U+009B begins an escape sequence as ESC [ does), marks that turn the direction of writing, separators of
// lines (U+2028, U+2029), and what a runner of GitHub Actions takes for a command: "##[" anywhere, "::" at
// the start of a line.

// `text` as one line of valid UTF-8: dangerous characters, and bytes that are no UTF-8, become escapes (\n,
// \x1b, \u009b, \xff), "##[" becomes "#\x23[". For messages, and for what is recorded, of text that somebody
// else wrote. A line that begins with it needs line_start() as well.
std::string printable(std::string_view text);

// Bytes of the white space of Unicode at the front of `text`: a runner trims it before it looks for "::".
std::size_t white_space(std::string_view text);

// `line` for the start of a line: a backslash before a "::" that comes first but for white_space().
std::string line_start(std::string line);

// line_start() of each line of a text.
std::string line_starts(std::string_view text);

// The JSON text `json` with its dangerous characters as \u009b: what it says stays the same, as they stand in
// strings alone.
std::string harmless_json(std::string json);

}  // namespace ringside
