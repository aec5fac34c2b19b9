#include "model/record_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/units.hpp"

namespace ringside {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;
using Pair = std::pair<double, double>;

template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}
template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

Pair read_pair(const JsonPlace& place, const FieldRange& range) {
  if (place.elements() != 2) throw place.error("expected a pair of numbers");
  double numbers[2] = {};
  place.numbers(range, numbers);
  return {numbers[0], numbers[1]};
}

void read_list(const JsonPlace& place, const ValueType& type, const FieldRange& range, void* value) {
  std::byte* element = type.resize(value, place.elements());
  if (type.element->kind == ValueKind::number)
    return place.numbers(range, as<std::vector<double>>(value).data());
  place.each([&](const JsonPlace& part) {
    read_value(part, *type.element, range, element);
    element += type.stride;
  });
}

void read_word(const JsonPlace& place, const ValueType& type, void* value) {
  const int word = static_cast<int>(place.word(type.what, type.words));
  std::memcpy(value, &word, sizeof word);
}

std::string_view word(const ValueType& type, const void* value) {
  int word = 0;
  std::memcpy(&word, value, sizeof word);
  return type.words[static_cast<std::size_t>(word)];
}

template <typename Take>
void each_element(const ValueType& type, const void* value, Take take) {
  const std::span<const std::byte> elements = type.elements(value);
  for (std::size_t at = 0; at < elements.size(); at += type.stride) take(&elements[at]);
}

void write_list(JsonText& json, const ValueType& type, const void* value) {
  if (type.element->kind == ValueKind::number) return json.numbers(as<std::vector<double>>(value));
  const bool short_ones = type.element->kind == ValueKind::whole;
  json.begin_array(short_ones ? JsonText::Layout::line : JsonText::Layout::lines);
  each_element(type, value, [&](const void* element) { write_value(json, *type.element, element); });
  json.end_array();
}

}  // namespace

void read_value(const JsonPlace& place, const ValueType& type, const FieldRange& range, void* value) {
  switch (type.kind) {
    case ValueKind::boolean:
      as<bool>(value) = place.boolean();
      break;
    case ValueKind::whole:
      type.set_whole(place, range, value);
      break;
    case ValueKind::number:
      as<double>(value) = place.number(range);
      break;
    case ValueKind::text:
      as<std::string>(value) = place.text();
      break;
    case ValueKind::word:
      read_word(place, type, value);
      break;
    case ValueKind::facts:
      as<Facts>(value) = place.facts();
      break;
    case ValueKind::pair:
      as<Pair>(value) = read_pair(place, range);
      break;
    case ValueKind::record:
      read_record(place, type.record(), value, range);
      break;
    case ValueKind::list:
      read_list(place, type, range, value);
      break;
    case ValueKind::optional:
      std::byte* const inside = type.resize(value, place.is_null() ? 0 : 1);
      if (inside != nullptr) read_value(place, *type.element, range, inside);
      break;
  }
}

void write_value(JsonText& json, const ValueType& type, const void* value) {
  switch (type.kind) {
    case ValueKind::boolean:
      return json.truth(as<bool>(value));
    case ValueKind::whole:
      return json.whole(type.digits(value));
    case ValueKind::number:
      return json.number(as<double>(value));
    case ValueKind::text:
      return json.string(as<std::string>(value));
    case ValueKind::word:
      return json.string(word(type, value));
    case ValueKind::facts:
      return json.facts(as<Facts>(value));
    case ValueKind::pair:
      return json.numbers({as<Pair>(value).first, as<Pair>(value).second});
    case ValueKind::record:
      return write_record(json, type.record(), value);
    case ValueKind::list:
      return write_list(json, type, value);
    case ValueKind::optional:
      if (type.elements(value).empty()) return json.null();
      each_element(type, value, [&](const void* inside) { write_value(json, *type.element, inside); });
  }
}

std::string cell_text(const ValueType& type, const void* value) {
  std::string text;
  switch (type.kind) {
    case ValueKind::boolean:
      return as<bool>(value) ? "true" : "false";
    case ValueKind::whole:
      return type.digits(value);
    case ValueKind::number:
      return std::isfinite(as<double>(value)) ? fmt::format("{}", as<double>(value)) : "";
    case ValueKind::text:
      return as<std::string>(value);
    case ValueKind::word:
      return std::string(word(type, value));
    case ValueKind::optional:
      each_element(type, value, [&](const void* inside) { text = cell_text(*type.element, inside); });
      return text;
    case ValueKind::facts:
    case ValueKind::pair:
    case ValueKind::record:
    case ValueKind::list:
      break;
  }
  return text;
}

RecordField& RecordType::add(std::string_view field_name, std::string_view field_meaning,
                             const ValueType& type, const FieldRange& range, std::size_t offset) {
  RecordField field;
  field.name = field_name;
  field.meaning = field_meaning;
  field.type = &type;
  field.range = range;
  field.offset = offset;
  return fields.emplace_back(std::move(field));
}

const RecordField& RecordType::field(std::string_view field_name) const {
  const auto found =
      std::ranges::find_if(fields, [&](const RecordField& field) { return field.name == field_name; });
  if (found == fields.end()) throw std::out_of_range(fmt::format("a {} has no field '{}'", name, field_name));
  return *found;
}

void read_record(const JsonPlace& place, const RecordType& record, void* into, const FieldRange& inherited) {
  for (const RecordField& field : record.fields) {
    if (field.derived) continue;
    const JsonNode* const value = place.find(field.name);
    if (value == nullptr && field.minor > 0) continue;
    const JsonPlace there = value != nullptr ? place.member(*value, field.name) : place[field.name];
    read_value(there, *field.type, field.range.bounded() ? field.range : inherited, field.of(into));
  }
}

void write_record(JsonText& json, const RecordType& record, const void* from) {
  json.begin_object();
  for (const RecordField& field : record.fields) {
    json.key(field.name);
    if (field.derived) {
      field.derived(json, from);
    } else {
      write_value(json, *field.type, field.of(from));
    }
  }
  json.end_object();
}

}  // namespace ringside
