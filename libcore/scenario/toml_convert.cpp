// TomlTable::get and find: from TOML's types to those of C++.
#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "base/duration.hpp"
#include "base/units.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
constexpr const char* kNoun = "";
template <>
constexpr const char* kNoun<std::string> = "a string";
template <>
constexpr const char* kNoun<bool> = "true or false";
template <>
constexpr const char* kNoun<int> = "a whole number";
template <>
constexpr const char* kNoun<std::int64_t> = "a whole number";
template <>
constexpr const char* kNoun<double> = "a number";
template <>
constexpr const char* kNoun<Bytes> = "a size (14336, \"2K\")";
template <>
constexpr const char* kNoun<Nanoseconds> = "a duration (seconds, \"500ms\")";

// "a whole number from 1 to 16"
template <typename T>
std::string expected(const Range& range) {
  const Range any;
  if (range.min > any.min && range.max < any.max)
    return fmt::format("{} from {} to {}", kNoun<T>, range.min, range.max);
  if (range.min > any.min) return fmt::format("{} of at least {}", kNoun<T>, range.min);
  if (range.max < any.max) return fmt::format("{} of at most {}", kNoun<T>, range.max);
  return kNoun<T>;
}

// The number in a value, if it is one that a T can hold.
std::optional<double> number_in(const TomlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.data); real != nullptr && std::isfinite(*real))
    return *real;
  return std::nullopt;
}

template <typename T>
std::optional<T> convert(const TomlValue& value) {
  if constexpr (std::is_same_v<T, double>) {
    return number_in(value);
  } else if constexpr (std::is_same_v<T, int>) {
    const auto* whole = std::get_if<std::int64_t>(&value.data);
    if (whole == nullptr || static_cast<std::int64_t>(static_cast<int>(*whole)) != *whole)
      return std::nullopt;
    return static_cast<int>(*whole);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    if (const auto* text = std::get_if<std::string>(&value.data)) return parse_size(*text);
    const auto* whole = std::get_if<std::int64_t>(&value.data);
    if (whole == nullptr || *whole < 0) return std::nullopt;
    return Bytes{static_cast<std::uint64_t>(*whole)};
  } else if constexpr (std::is_same_v<T, Nanoseconds>) {
    if (const auto* text = std::get_if<std::string>(&value.data)) return parse_duration(*text);
    const std::optional<double> seconds = number_in(value);
    if (!seconds || !(*seconds >= 0 && *seconds < 1e9)) return std::nullopt;
    return Nanoseconds(std::llround(*seconds * 1e9));
  } else {
    const T* exact = std::get_if<T>(&value.data);
    return exact == nullptr ? std::nullopt : std::optional<T>(*exact);
  }
}

template <typename T>
bool lies_in(const Range& range, const T& value) {
  double number = range.min;
  if constexpr (std::is_same_v<T, Bytes>) {
    number = static_cast<double>(value.count);
  } else if constexpr (std::is_same_v<T, Nanoseconds>) {
    number = std::chrono::duration<double>(value).count();
  } else if constexpr (std::is_arithmetic_v<T>) {
    number = static_cast<double>(value);
  }
  return number >= range.min && number <= range.max;
}

// `name` is the key, or the element of it, for the message. Throws UsageError without a place.
template <typename T>
T convert_checked(const TomlValue& value, const Range& range, const std::string& name) {
  std::optional<T> converted;
  try {
    converted = convert<T>(value);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", name, problem.what()));
  }
  if (!converted || !lies_in(range, *converted)) {
    throw UsageError(fmt::format("{} must be {}, not {}", name, expected<T>(range), describe(value)));
  }
  return *std::move(converted);
}

}  // namespace

template <typename T>
std::optional<T> TomlTable::find(std::string_view key, const Range& range) const {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  if constexpr (IsVector<T>::value) {
    const auto* array = std::get_if<TomlArray>(&value->data);
    if (array == nullptr)
      throw error(key, fmt::format("'{}' must be an array, not {}", key, describe(*value)));
    T elements;
    for (std::size_t i = 0; i < array->size(); ++i) {
      try {
        elements.push_back(convert_checked<typename T::value_type>(
            (*array)[i], range, fmt::format("element {} of '{}'", i + 1, key)));
      } catch (const UsageError& problem) {
        throw element_error(key, i, problem.what());
      }
    }
    return elements;
  } else {
    try {
      return convert_checked<T>(*value, range, fmt::format("'{}'", key));
    } catch (const UsageError& problem) {
      throw error(key, problem.what());
    }
  }
}

template <typename T>
T TomlTable::get(std::string_view key, const Range& range) const {
  std::optional<T> found = find<T>(key, range);
  if (!found) throw missing(key);
  return *std::move(found);
}

#define RINGSIDE_TOML_TYPE(T)                                                         \
  template std::optional<T> TomlTable::find<T>(std::string_view, const Range&) const; \
  template T TomlTable::get<T>(std::string_view, const Range&) const;

RINGSIDE_TOML_TYPE(std::string)
RINGSIDE_TOML_TYPE(bool)
RINGSIDE_TOML_TYPE(int)
RINGSIDE_TOML_TYPE(std::int64_t)
RINGSIDE_TOML_TYPE(double)
RINGSIDE_TOML_TYPE(Bytes)
RINGSIDE_TOML_TYPE(Nanoseconds)
RINGSIDE_TOML_TYPE(std::vector<std::string>)
RINGSIDE_TOML_TYPE(std::vector<double>)
RINGSIDE_TOML_TYPE(std::vector<Bytes>)

#undef RINGSIDE_TOML_TYPE

}  // namespace ringside
