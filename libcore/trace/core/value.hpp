#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringside {

// A value that could not be determined, and why. Conditions over it are undecided, never guessed.
struct Unknown {
  std::string why;
  bool operator==(const Unknown&) const { return true; }
};

struct None {
  bool operator==(const None&) const = default;
};

// A value as the server's own code sees it: a flag, a fact of the model, a variable of the environment.
class Value {
 public:
  using List = std::vector<Value>;

  Value() : data_(None{}) {}
  Value(None) : data_(None{}) {}
  Value(Unknown value) : data_(std::move(value)) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(int value) : data_(std::int64_t{value}) {}
  Value(double value) : data_(value) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(const char* value) : data_(std::string(value)) {}
  Value(List value) : data_(std::move(value)) {}

  bool is_unknown() const { return std::holds_alternative<Unknown>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  const std::string& why() const { return std::get<Unknown>(data_).why; }
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data_);
  }

  bool operator==(const Value&) const = default;

 private:
  std::variant<Unknown, None, bool, std::int64_t, double, std::string, List> data_;
};

enum class Truth { no, yes, unknown };

// Python's idea of truth: None, False, zero, "" and [] are false.
Truth truth(const Value& value);

// Python's ==, numbers compared across int, float and bool.
Truth equal(const Value& left, const Value& right);

// "8", "True", "None", "'flashinfer'", "['a', 'b']", "unknown (why)".
std::string to_text(const Value& value);

// The value that a person means by `text` on a command line or in a configuration file: an integer, a float,
// or the text itself.
Value parse_scalar(std::string_view text);

}  // namespace ringside
