#pragma once

#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ringside {

// Reads a text from its front. What doesn't fit is left where it is.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }
  char front() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // A number of `least` to `most` digits (nine at most), with no digit behind it.
  std::optional<int> number(std::size_t least, std::size_t most) {
    std::size_t size = 0;
    int value = 0;
    while (size < rest_.size() && size <= most && is_digit(rest_[size])) {
      if (size < most) value = value * 10 + (rest_[size] - '0');
      ++size;
    }
    if (size < least || size > most) return std::nullopt;
    rest_.remove_prefix(size);
    return value;
  }

  // The characters up to the first that `is` is false of.
  template <typename Is>
  std::string_view while_true(Is is) {
    std::size_t size = 0;
    while (size < rest_.size() && is(rest_[size])) ++size;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::size_t blanks() {
    return while_true([](char c) { return c == ' '; }).size();
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  // Of a name: letters, digits, '_', '-', '.'.
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  }

 private:
  std::string_view rest_;
};

}  // namespace ringside
