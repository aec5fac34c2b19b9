#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringside {

// A value of a JSON text; the members of an object stand in the text's order.
class ConfigObject {
 public:
  struct Member;
  using List = std::vector<ConfigObject>;
  using Members = std::vector<Member>;
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Members>;

  ConfigObject() = default;  // null
  explicit ConfigObject(Value value) : value_(std::move(value)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_whole() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_number() const { return is_whole() || std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_list() const { return std::holds_alternative<List>(value_); }
  bool is_object() const { return std::holds_alternative<Members>(value_); }
  bool is_structured() const { return is_list() || is_object(); }

  // Of a value of that kind; else the empty one.
  bool boolean() const;
  double number() const;
  const std::string& text() const;
  const List& list() const;
  const Members& members() const;

  // The last member of that name; nullptr: there is none.
  const ConfigObject* find(std::string_view name) const;
  // The same; null where there is none.
  const ConfigObject& operator[](std::string_view name) const;

  const Value& value() const { return value_; }
  Value& value() { return value_; }

 private:
  Value value_;
};

struct ConfigObject::Member {
  std::string name;
  ConfigObject value;
};

// A text as JSON; what only Python writes (Infinity, NaN) is null. Throws UsageError that begins with
// `origin` for a text that is none, is no object, or is nested more than 64 deep.
ConfigObject parse_config_object(const std::string& text, const std::string& origin);

// The first bytes of a UTF-8 text, at most so many, without half a letter at the end.
std::string first_letters(const std::string& text, std::size_t most);

// The first of 'architectures'; empty: none is named.
std::string first_architecture(const ConfigObject& level);

}  // namespace ringside
