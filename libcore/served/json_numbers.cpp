#include "served/json_numbers.hpp"

#include <cctype>

namespace ringside {
namespace {

std::optional<double> number_of(const JsonNode& node) {
  if (node.kind == JsonKind::whole) return static_cast<double>(node.is.whole);
  if (node.kind == JsonKind::number) return node.is.number;
  return std::nullopt;
}

}  // namespace

std::string strict_json(std::string text) {
  constexpr std::string_view kNames[] = {"-Infinity", "Infinity", "NaN"};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        quoted = false;
      continue;
    }
    if (text[i] == '"') quoted = true;
    for (const std::string_view name : kNames) {
      if (text.compare(i, name.size(), name) != 0) continue;
      // "null" and blanks: places in the text stay the same but for NaN, which is shorter.
      const std::string_view null = "null";
      text.replace(i, name.size(),
                   name.size() < null.size()
                       ? std::string(null)
                       : std::string(null) + std::string(name.size() - null.size(), ' '));
      break;
    }
  }
  return text;
}

const JsonNode* find_member(const JsonNode& object, std::initializer_list<std::string_view> names) {
  if (object.kind != JsonKind::object) return nullptr;
  for (const std::string_view name : names) {
    const JsonNode* key = &object + 1;
    for (std::uint32_t i = 0; i < object.size; ++i) {
      const JsonNode* const value = key->next();
      if (key->string() == name) return value;
      key = value->next();
    }
  }
  return nullptr;
}

std::optional<double> find_number(const JsonNode& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const JsonNode* const found = find_member(object, {name});
    if (found == nullptr) continue;
    if (const auto value = number_of(*found)) return value;
  }
  return std::nullopt;
}

std::string find_text(const JsonNode& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const JsonNode* const found = find_member(object, {name});
    if (found != nullptr && found->kind == JsonKind::string) return std::string(found->string());
  }
  return "";
}

std::vector<double> find_numbers(const JsonNode& object, std::string_view name) {
  std::vector<double> numbers;
  const JsonNode* const array = find_member(object, {name});
  if (array == nullptr || array->kind != JsonKind::array) return numbers;
  const JsonNode* element = array + 1;
  for (std::uint32_t i = 0; i < array->size; ++i, element = element->next())
    if (const auto value = number_of(*element)) numbers.push_back(*value);
  return numbers;
}

}  // namespace ringside
