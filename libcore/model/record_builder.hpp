#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "model/enum_names.hpp"
#include "model/record_type.hpp"

namespace ringside {

// What describe() says about T, which the builder below collects once.
template <typename T>
const RecordType& record_type();

// A type without a specialisation is a record.
template <typename T>
inline constexpr ValueType value_type = {.kind = ValueKind::record, .record = &record_type<T>};

template <>
inline constexpr ValueType value_type<bool> = {.kind = ValueKind::boolean};
template <>
inline constexpr ValueType value_type<double> = {.kind = ValueKind::number};
template <>
inline constexpr ValueType value_type<std::string> = {.kind = ValueKind::text};
template <>
inline constexpr ValueType value_type<std::vector<std::pair<std::string, std::string>>> = {
    .kind = ValueKind::facts};
template <>
inline constexpr ValueType value_type<std::pair<double, double>> = {.kind = ValueKind::pair};

template <std::integral T>
inline constexpr ValueType value_type<T> = {
    .kind = ValueKind::whole,
    .set_whole = [](const JsonPlace& place, const FieldRange& range,
                    void* value) { *static_cast<T*>(value) = place.whole<T>(range); },
    .digits = [](const void* value) { return std::to_string(*static_cast<const T*>(value)); }};

template <>
inline constexpr ValueType value_type<Bytes> = {
    .kind = ValueKind::whole,
    .set_whole = [](const JsonPlace& place, const FieldRange& range,
                    void* value) { static_cast<Bytes*>(value)->count = place.whole<std::uint64_t>(range); },
    .digits = [](const void* value) { return std::to_string(static_cast<const Bytes*>(value)->count); }};

template <>
inline constexpr ValueType value_type<std::chrono::nanoseconds> = {
    .kind = ValueKind::whole,
    .set_whole =
        [](const JsonPlace& place, const FieldRange& range, void* value) {
          *static_cast<std::chrono::nanoseconds*>(value) =
              std::chrono::nanoseconds(place.whole<std::int64_t>(range));
        },
    .digits =
        [](const void* value) {
          return std::to_string(static_cast<const std::chrono::nanoseconds*>(value)->count());
        }};

template <typename T>
concept Enumeration = std::is_enum_v<T> && sizeof(T) == sizeof(int);

template <Enumeration Enum>
inline constexpr ValueType value_type<Enum> = {
    .kind = ValueKind::word, .what = EnumNames<Enum>::what, .words = EnumNames<Enum>::names};

template <typename T>
inline constexpr ValueType value_type<std::optional<T>> = {
    .kind = ValueKind::optional,
    .element = &value_type<T>,
    .stride = sizeof(T),
    .elements = [](const void* value) -> std::span<const std::byte> {
      const auto& optional = *static_cast<const std::optional<T>*>(value);
      if (!optional) return {};
      return std::as_bytes(std::span(&*optional, 1));
    },
    .resize = [](void* value, std::size_t count) -> std::byte* {
      auto& optional = *static_cast<std::optional<T>*>(value);
      optional.reset();
      return count == 0 ? nullptr : reinterpret_cast<std::byte*>(&optional.emplace());
    }};

template <typename T>
inline constexpr ValueType value_type<std::vector<T>> = {
    .kind = ValueKind::list,
    .element = &value_type<T>,
    .stride = sizeof(T),
    .elements = [](const void* value) -> std::span<const std::byte> {
      return std::as_bytes(std::span(*static_cast<const std::vector<T>*>(value)));
    },
    .resize = [](void* value, std::size_t count) -> std::byte* {
      auto& list = *static_cast<std::vector<T>*>(value);
      list = std::vector<T>(count);
      return reinterpret_cast<std::byte*>(list.data());
    }};

// The `fields` of describe(fields, const T*).
template <typename T>
class RecordBuilder {
 public:
  void record(std::string_view name, std::string_view meaning) {
    type_.name = name;
    type_.meaning = meaning;
  }

  template <typename Value>
  RecordField& add(std::string_view name, Value T::*member, std::string_view meaning,
                   const FieldRange& range = ranges::kAny) {
    return type_.add(name, meaning, value_type<Value>, range, offset_of(&(example_.*member)));
  }

  // A member of a member that is no object of its own in JSON.
  template <typename Inner, typename Value>
  RecordField& add(std::string_view name, Inner T::*outer, Value Inner::*member, std::string_view meaning,
                   const FieldRange& range = ranges::kAny) {
    return type_.add(name, meaning, value_type<Value>, range, offset_of(&(example_.*outer.*member)));
  }

  template <typename Value>
  RecordField& derived(std::string_view name, Value (T::*value)() const, std::string_view meaning,
                       const FieldRange& range = ranges::kAny) {
    RecordField& field = type_.add(name, meaning, value_type<Value>, range, 0);
    field.derived = [value](JsonText& json, const void* record) {
      const Value made = (static_cast<const T*>(record)->*value)();
      write_value(json, value_type<Value>, &made);
    };
    return field;
  }

  RecordType take() && { return std::move(type_); }

 private:
  std::size_t offset_of(const void* member) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) -
                                    reinterpret_cast<const std::byte*>(&example_));
  }

  T example_{};  // for the places of its members
  RecordType type_;
};

template <typename T>
const RecordType& record_type() {
  static const RecordType type = [] {
    RecordBuilder<T> fields;
    describe(fields, static_cast<const T*>(nullptr));
    return std::move(fields).take();
  }();
  return type;
}

}  // namespace ringside
