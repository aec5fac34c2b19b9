#include "served/python_pairs.hpp"

#include <cctype>
#include <charconv>

#include "base/text.hpp"

namespace ringside {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of a value: the next comma or closing bracket outside of quotes and brackets.
std::size_t value_end(std::string_view text, std::size_t at) {
  int depth = 0;
  char quote = '\0';
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == '\\')
        ++at;
      else if (c == quote)
        quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return at;
      --depth;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return text.size();
}

}  // namespace

std::vector<PythonPair> python_pairs(std::string_view text) {
  std::vector<PythonPair> pairs;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    const bool quoted = at < text.size() && (text[at] == '\'' || text[at] == '"');
    if (quoted) ++at;
    const std::size_t start = at;
    while (at < text.size() && is_name(text[at])) ++at;
    std::string name(text.substr(start, at - start));
    if (quoted && at < text.size()) ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    if (name.empty() || at >= text.size() || text[at] != (quoted ? ':' : '=')) break;
    const std::size_t end = value_end(text, at + 1);
    pairs.emplace_back(std::move(name), trim(text.substr(at + 1, std::min(end, text.size()) - at - 1)));
    at = end;
  }
  return pairs;
}

std::string python_string(std::string_view text) {
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front())
    return std::string(text);
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

std::vector<double> python_numbers(std::string_view text) {
  std::vector<double> numbers;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return numbers;
  for (const std::string& part : split(text.substr(1, text.size() - 2), ',')) {
    const std::string_view word = trim(part);
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem == std::errc{} && end == word.data() + word.size()) numbers.push_back(value);
  }
  return numbers;
}

}  // namespace ringside
