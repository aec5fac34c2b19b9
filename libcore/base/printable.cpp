#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace ringside {
namespace {

// Length of the well-formed UTF-8 sequence at the front of `text`, or 0 (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool second = continues(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second = continues(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// The character of the sequence that begins `text`, `length` bytes long.
unsigned code_point(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 1) return byte(0);
  unsigned code = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3fu);
  return code;
}

bool is_dangerous(unsigned code) {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  if (code == 0x61c || code == 0x200e || code == 0x200f) return true;               // marks of direction
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);  // separators, embeddings
}

// Whether nothing in `text` needs a look: letters, digits and the like.
bool is_plain(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);  // a char alone is signed on some machines only
    if (byte < 0x20 || byte >= 0x7f || c == '#') return false;
  }
  return true;
}

constexpr std::string_view kCommand = "##[";

bool is_white_space(unsigned code) {
  if ((code >= 0x9 && code <= 0xd) || code == ' ' || code == 0x85 || code == 0xa0) return true;
  if (code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029) return true;
  return code == 0x202f || code == 0x205f || code == 0x3000 || code == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t length = sequence_length(text);
    const unsigned code = length == 0 ? 0 : code_point(text, length);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (length == 0 || (length == 1 && is_dangerous(code))) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (is_dangerous(code)) {
      line += fmt::format("\\u{:04x}", code);
    } else if (text.starts_with(kCommand)) {
      line += "#\\x23[";
      text.remove_prefix(kCommand.size());
      continue;
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

std::size_t white_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0 || !is_white_space(code_point(text.substr(at), length))) break;
    at += length;
  }
  return at;
}

std::string line_start(std::string line) {
  const std::size_t first = white_space(line);
  if (line.compare(first, 2, "::") == 0) line.insert(first, 1, '\\');
  return line;
}

std::string line_starts(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    safe += line_start(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return safe;
}

std::string harmless_json(std::string json) {
  if (is_plain(json)) return json;
  std::string safe;
  safe.reserve(json.size());
  for (std::string_view rest = json; !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(1, sequence_length(rest));
    const unsigned code = code_point(rest, length);
    if (code >= 0x7f && is_dangerous(code)) {
      safe += fmt::format("\\u{:04x}", code);
    } else if (rest.starts_with(kCommand)) {
      safe += "#\\u0023[";
      rest.remove_prefix(kCommand.size());
      continue;
    } else {
      safe += rest.substr(0, length);
    }
    rest.remove_prefix(length);
  }
  return safe;
}

}  // namespace ringside
