#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "base/secret_text.hpp"

namespace ringside {

// What the masker and the look before it know of characters and tokens.

inline bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}
inline bool is_name(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}
inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
inline bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}
inline bool is_quote(char c) {
  return c == '"' || c == '\'';
}

inline bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

// Bytes of the token of a known shape that begins `text`; 0: there is none. An identifier or a model's name
// has words, not a run of 20 letters and digits: of it there is no digit, and not both cases.
inline std::size_t token_length(std::string_view text) {
  for (const auto& [begin, least, letters] : kTokenShapes) {
    if (!text.starts_with(begin)) continue;
    const auto belongs = [&, kind = letters](char c) {
      if (kind == Letters::capitals) return is_alnum(c) && std::islower(static_cast<unsigned char>(c)) == 0;
      return is_alnum(c) || (kind != Letters::plain && is_name(c)) || (kind == Letters::dotted && c == '.');
    };
    std::size_t end = begin.size();
    bool digit = false, small = false, large = false;
    while (end < text.size() && belongs(text[end])) {
      const auto c = static_cast<unsigned char>(text[end++]);
      digit = digit || std::isdigit(c) != 0;
      small = small || std::islower(c) != 0;
      large = large || std::isupper(c) != 0;
    }
    if (end - begin.size() < least || !(small || large)) continue;
    if (letters == Letters::capitals) {
      if (end == text.size() || !is_name(text[end])) return end;
    } else if (digit || (small && large && begin != "sk-")) {
      return end;
    }
  }
  return 0;
}

}  // namespace ringside
