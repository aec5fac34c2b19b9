#include "model/json_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostMembers = 1000;

// Behind the string that begins at `at`, a quotation mark; the end of the text where it does not end.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace

std::string text_place(std::string_view text, std::size_t at, std::string_view origin) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
  return fmt::format("{}:{}:{}", origin, line, column);
}

void check_shape(std::string_view text, std::string_view origin) {
  std::array<std::size_t, kDeepest> members{};  // of each open object; of an array it stays 0
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = behind_string(text, at);
      continue;
    }
    if (c == '{' || c == '[') {
      if (depth == kDeepest)
        throw UsageError(
            fmt::format("{}: nested deeper than {} levels", text_place(text, at, origin), kDeepest));
      members[depth++] = 0;
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
    } else if (c == ':' && depth > 0 && ++members[depth - 1] > kMostMembers) {
      throw UsageError(
          fmt::format("{}: an object of more than {} members", text_place(text, at, origin), kMostMembers));
    }
    ++at;
  }
}

}  // namespace ringside
