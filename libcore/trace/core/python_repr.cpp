#include "trace/core/python_repr.hpp"

#include <cctype>

#include "base/text.hpp"

namespace ringside {

namespace {

// The end of a value: the next comma or closing parenthesis outside of quotes and brackets.
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

Value parse_value(std::string_view text) {
  text = trim(text);
  if (text == "None") return None{};
  if (text == "True" || text == "False") return text == "True";
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    return std::string(text.substr(1, text.size() - 2));
  const Value number = parse_scalar(text);
  if (number.as<std::int64_t>() || number.as<double>()) return number;
  return Unknown{std::string(text.substr(0, 60))};
}

}  // namespace

std::map<std::string, Value> parse_keywords(std::string_view text) {
  std::map<std::string, Value> values;
  std::size_t at = 0;
  while (at < text.size() && text[at] != ')') {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    const std::size_t start = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    if (at == start || at >= text.size() || text[at] != '=') break;
    const std::string name(text.substr(start, at - start));
    const std::size_t end = value_end(text, at + 1);
    values[name] = parse_value(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return values;
}

}  // namespace ringside
