#include "scenario/toml_key_depth.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "base/errors.hpp"

namespace ringside {
namespace {

// Where the string that opens at `at` ends (one past its closing quote), or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool multi_line = text.substr(at, 3) == std::string(3, quote);
  const std::string closing(multi_line ? 3 : 1, quote);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (!multi_line && text[i] == '\n') {
      return i;  // not closed on its line: the parser will say so
    } else if (text.substr(i, closing.size()) == closing) {
      return i + closing.size();
    }
  }
  return text.size();
}

}  // namespace

void check_key_depth(std::string_view text, int limit, const std::string& origin) {
  int line = 1;
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      for (; i < end; ++i) line += text[i] == '\n' ? 1 : 0;
      continue;
    }
    if (c == '#') {
      i = text.find('\n', i);
      if (i == std::string_view::npos) return;
      continue;
    }
    if (c == '.') {
      if (++dots > limit)
        throw UsageError(fmt::format("{}:{}: a key with more than {} dots", origin, line, limit));
    } else if (std::string_view("\n=,{}[]").find(c) != std::string_view::npos) {
      dots = 0;
    }
    line += c == '\n' ? 1 : 0;
    ++i;
  }
}

}  // namespace ringside
