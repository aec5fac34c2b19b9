#include "option_values.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/duration.hpp"
#include "base/errors.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

std::int64_t parse_integer(const std::string& text, const Range& range) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, value);
  const auto real = static_cast<double>(value);
  if (error != std::errc{} || parsed != end || real < range.min || real > range.max) {
    throw UsageError(
        fmt::format("expected a whole number from {:.0f} to {:.0f}, not '{}'", range.min, range.max, text));
  }
  return value;
}

std::vector<std::string> scenario_names(std::string_view folder) {
  std::vector<std::string> names;
  for (const ScenarioText& text : list_scenarios(folder)) names.push_back(text.name);
  return names;
}

std::function<void(const std::string&)> store_duration(std::optional<Nanoseconds>& target,
                                                       const Range& range) {
  return [&target, range](const std::string& text) {
    const Nanoseconds value = parse_duration(text);
    const double seconds = std::chrono::duration<double>(value).count();
    if (seconds < range.min || seconds > range.max) {
      throw UsageError(
          fmt::format("expected a duration from {} to {} seconds, not '{}'", range.min, range.max, text));
    }
    target = value;
  };
}

}  // namespace ringside
