#include "trace/core/value.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace ringside {

namespace {

std::optional<double> number(const Value& value) {
  if (const auto* integer = value.as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* real = value.as<double>()) return *real;
  if (const auto* flag = value.as<bool>()) return *flag ? 1 : 0;
  return std::nullopt;
}

Truth equal_lists(const Value::List& left, const Value::List& right) {
  if (left.size() != right.size()) return Truth::no;
  Truth result = Truth::yes;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Truth same = equal(left[i], right[i]);
    if (same == Truth::no) return Truth::no;
    if (same == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

}  // namespace

Truth truth(const Value& value) {
  const auto of = [](bool yes) { return yes ? Truth::yes : Truth::no; };
  if (value.is_unknown()) return Truth::unknown;
  if (value.is_none()) return Truth::no;
  if (const auto* text = value.as<std::string>()) return of(!text->empty());
  if (const auto* list = value.as<Value::List>()) return of(!list->empty());
  return of(*number(value) != 0);
}

Truth equal(const Value& left, const Value& right) {
  if (left.is_unknown() || right.is_unknown()) return Truth::unknown;
  const auto a = number(left), b = number(right);
  if (a && b) return *a == *b ? Truth::yes : Truth::no;
  const auto *first = left.as<Value::List>(), *second = right.as<Value::List>();
  if (first && second) return equal_lists(*first, *second);
  return left == right ? Truth::yes : Truth::no;
}

std::string to_text(const Value& value) {
  if (value.is_unknown()) return value.why().empty() ? "unknown" : fmt::format("unknown ({})", value.why());
  if (value.is_none()) return "None";
  if (const auto* flag = value.as<bool>()) return *flag ? "True" : "False";
  if (const auto* integer = value.as<std::int64_t>()) return fmt::format("{}", *integer);
  if (const auto* real = value.as<double>()) return fmt::format("{}", *real);
  if (const auto* text = value.as<std::string>()) return fmt::format("'{}'", *text);
  std::vector<std::string> parts;
  for (const Value& item : *value.as<Value::List>()) parts.push_back(to_text(item));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

Value parse_scalar(std::string_view text) {
  text = trim(text);
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end) return integer;
  double real = 0;
  const auto fraction = std::from_chars(text.data(), end, real);
  if (fraction.ec == std::errc() && fraction.ptr == end &&
      text.find_first_of("0123456789") != std::string_view::npos)
    return real;
  return std::string(text);
}

}  // namespace ringside
