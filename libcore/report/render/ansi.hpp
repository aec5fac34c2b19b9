#pragma once

#include <string>
#include <string_view>

#include "report/grid.hpp"

namespace ringside {

// Puts a text into the colours of a terminal, or leaves it alone when colour is off.
class Ansi {
 public:
  explicit Ansi(bool enabled) : enabled_(enabled) {}

  std::string paint(Style style, std::string_view text) const {
    const std::string_view code = code_of(style);
    if (!enabled_ || code.empty() || text.empty()) return std::string(text);
    return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
  }

 private:
  static constexpr std::string_view code_of(Style style) {
    switch (style) {
      case Style::plain:
        return "";
      case Style::heading:
        return "1";
      case Style::faint:
        return "2";
      case Style::winner:
        return "1;32";
      case Style::tied:
        return "32";
      case Style::error:
        return "1;31";
      case Style::warning:
        return "33";
      case Style::note:
        return "36";
    }
    return "";
  }

  bool enabled_;
};

}  // namespace ringside
