#include "report/markdown.hpp"

#include "base/printable.hpp"

namespace ringside {

std::string markdown_escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '&') {
      safe += "&amp;";
      continue;
    }
    if (std::string_view("\\`*_[]<>|#~$").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace ringside
