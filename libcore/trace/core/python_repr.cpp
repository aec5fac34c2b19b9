#include "trace/core/python_repr.hpp"

#include "base/text.hpp"
#include "served/python_pairs.hpp"

namespace ringside {

namespace {

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
  for (const auto& [name, value] : python_pairs(text)) values[name] = parse_value(value);
  return values;
}

}  // namespace ringside
