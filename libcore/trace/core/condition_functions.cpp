#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "trace/core/condition_node.hpp"

namespace ringside {

namespace {

struct Function {
  std::string_view name;
  std::size_t arguments;
};

constexpr std::array<Function, 9> kFunctions = {{{"len", 1},
                                                 {"int", 1},
                                                 {"float", 1},
                                                 {"min", 2},
                                                 {"max", 2},
                                                 {"item", 2},
                                                 {"startswith", 2},
                                                 {"endswith", 2},
                                                 {"isinstance", 2}}};

std::optional<double> number(const Value& value) {
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* real = value.as<double>()) return *real;
  if (const auto* flag = value.as<bool>()) return *flag ? 1 : 0;
  return std::nullopt;
}

Value no_meaning(const std::string& name, const Value& value) {
  return Unknown{fmt::format("{} of {}", name, to_text(value))};
}

Value length(const Value& value) {
  if (const auto* list = value.as<Value::List>()) return static_cast<std::int64_t>(list->size());
  if (const auto* text = value.as<std::string>()) return static_cast<std::int64_t>(text->size());
  return no_meaning("len", value);
}

// Python's int() and float(), of a text too.
Value converted(const std::string& name, const Value& value) {
  const auto* text = value.as<std::string>();
  const Value read = text ? parse_scalar(*text) : value;
  const auto found = number(read);
  if (!found || (text && name == "int" && read.as<double>())) return no_meaning(name, value);
  if (name == "float") return *found;
  if (std::abs(*found) > 9e15) return no_meaning(name, value);
  return static_cast<std::int64_t>(*found);
}

Value extreme(const std::string& name, const std::vector<Value>& arguments) {
  const Value* chosen = nullptr;
  for (const Value& argument : arguments) {
    if (!number(argument)) return no_meaning(name, argument);
    const bool better = !chosen || (name == "min" ? *number(argument) < *number(*chosen)
                                                  : *number(argument) > *number(*chosen));
    if (better) chosen = &argument;
  }
  return *chosen;
}

Value item(const Value& list, const Value& index) {
  const auto* items = list.as<Value::List>();
  const auto* at = index.as<std::int64_t>();
  if (!items || !at) return no_meaning("an item", list);
  const auto size = static_cast<std::int64_t>(items->size());
  const std::int64_t place = *at < 0 ? *at + size : *at;
  if (place < 0 || place >= size) return no_meaning("an item", list);
  return (*items)[static_cast<std::size_t>(place)];
}

Value is_instance(const Value& value, const std::string& type) {
  if (type == "list") return value.as<Value::List>() != nullptr;
  if (type == "str") return value.as<std::string>() != nullptr;
  if (type == "bool") return value.as<bool>() != nullptr;
  if (type == "int") return value.as<std::int64_t>() != nullptr || value.as<bool>() != nullptr;
  if (type == "float") return value.as<double>() != nullptr;
  return false;  // no value of the language is a dict, a tuple or a set
}

}  // namespace

std::size_t arguments_of(std::string_view function) {
  for (const Function& known : kFunctions)
    if (known.name == function) return known.arguments;
  return 0;
}

Value apply_function(const std::string& name, const std::vector<Value>& arguments) {
  const Value& first = arguments.front();
  if (name == "len") return length(first);
  if (name == "int" || name == "float") return converted(name, first);
  if (name == "min" || name == "max") return extreme(name, arguments);
  if (name == "item") return item(first, arguments[1]);
  const auto *text = first.as<std::string>(), *word = arguments[1].as<std::string>();
  if (name == "isinstance" && word) return is_instance(first, *word);
  if (!text || !word) return no_meaning(name, first);
  return name == "startswith" ? text->starts_with(*word) : text->ends_with(*word);
}

}  // namespace ringside
