#include "report/render/markup.hpp"

#include "base/printable.hpp"

namespace ringside {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

// Most texts are numbers and names.
bool is_plain(std::string_view text) {
  for (const char c : text) {
    if (c < 0x20 || c >= 0x7f || c == '#' || c == ':' || c == '&' || c == '<' || c == '>' || c == '"' ||
        c == '\'')
      return false;
  }
  return true;
}

}  // namespace

std::string markup_escaped(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  const std::string clean = line_start(printable(text));
  std::string safe;
  safe.reserve(clean.size());
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const std::string_view rest = std::string_view(clean).substr(i, 3);
    if (rest == "\xef\xbf\xbe" || rest == "\xef\xbf\xbf") {  // no characters, though they are UTF-8
      safe += rest.back() == '\xbe' ? "\\ufffe" : "\\uffff";
      i += 2;
    } else if (const std::string_view escaped = entity(clean[i]); !escaped.empty()) {
      safe += escaped;
    } else {
      safe += clean[i];
    }
  }
  return safe;
}

}  // namespace ringside
