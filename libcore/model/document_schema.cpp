#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "model/document.hpp"
#include "model/record_type.hpp"

namespace ringside {
namespace {

void write_words(JsonText& json, std::span<const std::string_view> words) {
  json.begin_array(JsonText::Layout::line);
  for (const std::string_view word : words) json.string(word);
  json.end_array();
}

void write_words(JsonText& json, std::string_view key, std::initializer_list<std::string_view> words) {
  json.key(key);
  write_words(json, {words.begin(), words.size()});
}

void write_text(JsonText& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.string(text);
}

void write_bound(JsonText& json, std::string_view key, double bound) {
  json.key(key);
  constexpr double kFits = 9e18;  // into 64 bits
  const auto whole = static_cast<std::int64_t>(std::clamp(bound, -kFits, kFits));
  if (static_cast<double>(whole) == bound) return json.whole(whole);
  json.number(bound);
}

void write_range(JsonText& json, const FieldRange& range) {
  if (range.least) write_bound(json, range.open ? "exclusiveMinimum" : "minimum", *range.least);
  if (range.most) write_bound(json, range.open ? "exclusiveMaximum" : "maximum", *range.most);
}

// With the range of numbers that the record leaves open.
void write_reference(JsonText& json, const RecordType& record, const FieldRange& range) {
  write_text(json, "$ref", fmt::format("#/$defs/{}", record.name));
  if (!range.bounded()) return;
  json.key("properties");
  json.begin_object();
  for (const RecordField& field : record.fields) {
    if (field.type->kind != ValueKind::number || field.range.bounded()) continue;
    json.key(field.name);
    json.begin_object();
    write_range(json, range);
    json.end_object();
  }
  json.end_object();
}

void write_type(JsonText& json, const ValueType& type, const RecordField& field);

void write_nullable(JsonText& json, const ValueType& type, const RecordField& field) {
  if (type.kind == ValueKind::number) return write_type(json, type, field);
  json.key("anyOf");
  json.begin_array();
  json.begin_object();
  write_type(json, type, field);
  json.end_object();
  json.begin_object();
  write_text(json, "type", "null");
  json.end_object();
  json.end_array();
}

// The keywords for values of a type, into an object that is open.
void write_type(JsonText& json, const ValueType& type, const RecordField& field) {
  const auto write_inside = [&](std::string_view key, const ValueType& inside) {
    json.key(key);
    json.begin_object();
    write_type(json, inside, field);
    json.end_object();
  };
  switch (type.kind) {
    case ValueKind::boolean:
      return write_text(json, "type", "boolean");
    case ValueKind::whole:
      write_text(json, "type", "integer");
      return write_range(json, {"", field.range.least.value_or(0), field.range.most, field.range.open});
    case ValueKind::number:  // null: not finite
      write_words(json, "type", {"number", "null"});
      return write_range(json, field.range);
    case ValueKind::text:
      write_text(json, "type", "string");
      if (field.filled) write_bound(json, "minLength", 1);
      if (!field.pattern.empty()) write_text(json, "pattern", field.pattern);
      return;
    case ValueKind::word:
      json.key("enum");
      return write_words(json, type.words);
    case ValueKind::facts:
      write_text(json, "type", "object");
      return write_inside("additionalProperties", {.kind = ValueKind::text});
    case ValueKind::pair:
      write_text(json, "type", "array");
      write_inside("items", {.kind = ValueKind::number});  // within the field's range
      write_bound(json, "minItems", 2);
      return write_bound(json, "maxItems", 2);
    case ValueKind::record:
      return write_reference(json, type.record(), field.range);
    case ValueKind::list:
      write_text(json, "type", "array");
      return write_inside("items", *type.element);
    case ValueKind::optional:
      return write_nullable(json, *type.element, field);
  }
}

void write_field(JsonText& json, const RecordField& field) {
  json.key(field.name);
  json.begin_object();
  const std::string since = field.minor > 0 ? fmt::format(" Since {}.{}.", kSchemaMajor, field.minor) : "";
  write_text(json, "description", std::string(field.meaning) + since);
  if (!field.range.unit.empty()) write_text(json, "unit", field.range.unit);
  write_type(json, *field.type, field);
  json.end_object();
}

// The keywords of an object, but for its description.
void write_object(JsonText& json, const RecordType& record) {
  write_text(json, "type", "object");
  json.key("additionalProperties");
  json.truth(false);
  json.key("required");
  json.begin_array();
  for (const RecordField& field : record.fields) json.string(field.name);
  json.end_array();
  json.key("properties");
  json.begin_object();
  for (const RecordField& field : record.fields) write_field(json, field);
  json.end_object();
}

// The records below `record`, each once.
void collect(const RecordType& record, std::vector<const RecordType*>& below) {
  for (const RecordField& field : record.fields) {
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    if (type->record == nullptr) continue;
    const RecordType& inside = type->record();
    if (std::ranges::find(below, &inside) != below.end()) continue;
    below.push_back(&inside);
    collect(inside, below);
  }
}

}  // namespace

std::string document_schema() {
  const RecordType& document = document_record();
  JsonText json(true);
  json.begin_object();
  write_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  write_text(json, "title", "ringside document");
  write_text(json, "description", document.meaning);
  write_object(json, document);
  json.key("$defs");
  json.begin_object();
  std::vector<const RecordType*> records;
  collect(document, records);
  for (const RecordType* record : records) {
    json.key(record->name);
    json.begin_object();
    write_text(json, "description", record->meaning);
    write_object(json, *record);
    json.end_object();
  }
  json.end_object();
  json.end_object();
  return std::move(json).take();
}

}  // namespace ringside
