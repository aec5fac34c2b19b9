#include "base/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/errors.hpp"

namespace ringside {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit kUnits[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};

constexpr double kLongestSeconds = 7 * 24 * 3600.0;

}  // namespace

Nanoseconds parse_duration(std::string_view text) {
  const auto fail = [&](const char* why) {
    return UsageError(
        fmt::format("'{}' is not a duration: {} (durations read 45, 45s, 500ms, 2m, 1h)", text, why));
  };
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error == std::errc::result_out_of_range) throw fail("it is longer than a week");
  if (error != std::errc{} || !std::isfinite(value)) throw fail("it does not begin with a number");
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : kUnits) {
    if (unit.name != suffix) continue;
    const double seconds = value * unit.seconds;
    if (!(seconds >= 0)) throw fail("it is negative");
    if (seconds > kLongestSeconds) throw fail("it is longer than a week");
    return Nanoseconds(std::llround(seconds * 1e9));
  }
  throw fail("its unit is unknown");
}

std::string format_duration(Nanoseconds duration) {
  const auto seconds = std::chrono::round<std::chrono::seconds>(duration).count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

}  // namespace ringside
