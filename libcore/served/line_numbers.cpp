#include "served/line_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr double kMost = 1e12;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::optional<double> number_after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + label.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::array<char, 64> plain{};
  std::size_t length = 0;
  for (std::size_t i = 0; i < rest.size() && length < plain.size(); ++i) {
    const bool between = rest[i] == ',' && i > 0 && is_digit(rest[i - 1]) && i + 3 < rest.size() &&
                         is_digit(rest[i + 1]) && is_digit(rest[i + 2]) && is_digit(rest[i + 3]);
    if (between) continue;
    plain[length++] = rest[i];
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(plain.data(), plain.data() + length, value);
  if (problem != std::errc{} || !(value >= 0 && value <= kMost)) return std::nullopt;
  return value;
}

std::vector<double> shares_after(std::string_view line, std::string_view label) {
  std::vector<double> values;
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return values;
  for (const std::string& part : split(line.substr(at + label.size()), ',')) {
    const std::string_view word = trim(part);
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= 1)) break;
    values.push_back(value);
  }
  return values;
}

std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(std::fabs(value) <= kMost) ||
      value != std::floor(value))
    return std::nullopt;
  return value;
}

int to_count(double value) {
  return static_cast<int>(std::clamp(value, 0.0, 2e9));
}

}  // namespace ringside
