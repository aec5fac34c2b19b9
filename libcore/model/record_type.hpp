#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/field_range.hpp"
#include "model/json_place.hpp"
#include "model/json_text.hpp"

namespace ringside {

struct RecordType;

enum class ValueKind { boolean, whole, number, text, word, facts, pair, record, list, optional };

// A C++ type as data, so that reading, writing and tables are compiled once and not for each type of record.
// What is done with a value gets its address as void*.
struct ValueType {
  ValueKind kind{};
  // Whole numbers of any width.
  void (*set_whole)(const JsonPlace& place, const FieldRange& range, void* value) = nullptr;
  std::string (*digits)(const void* value) = nullptr;
  // A word: an enumeration of type int, from 0.
  std::string_view what{};
  std::span<const std::string_view> words{};
  // A record.
  const RecordType& (*record)() = nullptr;
  // A list or an optional. An optional is a list of at most one.
  const ValueType* element = nullptr;
  std::size_t stride = 0;  // bytes from one element to the next
  std::span<const std::byte> (*elements)(const void* value) = nullptr;
  std::byte* (*resize)(void* value, std::size_t count) = nullptr;  // makes new elements; gives the first
};

// Throws UsageError with the place.
void read_value(const JsonPlace& place, const ValueType& type, const FieldRange& range, void* value);
void write_value(JsonText& json, const ValueType& type, const void* value);

// For tables; empty for what is absent, or not finite, and for all that does not fit into a cell.
std::string cell_text(const ValueType& type, const void* value);

// One field of a record, and all that is said about it.
struct RecordField {
  std::string_view name;  // the key in JSON, with its unit
  std::string_view meaning;
  const ValueType* type = nullptr;
  FieldRange range;
  std::size_t offset = 0;  // in the record, in bytes
  // Of a field that is made of others: it is written, and ignored when read.
  std::function<void(JsonText&, const void* record)> derived;
  int minor = 0;             // version that brought it: in documents of earlier ones it may be missing
  bool filled = false;       // never empty
  std::string_view pattern;  // regular expression of a text

  RecordField& since_minor(int version) { return minor = version, *this; }
  RecordField& not_empty() { return filled = true, *this; }
  RecordField& matches(std::string_view expression) { return pattern = expression, *this; }

  const void* of(const void* record) const { return static_cast<const std::byte*>(record) + offset; }
  void* of(void* record) const { return static_cast<std::byte*>(record) + offset; }
};

// What describe() says about a struct.
struct RecordType {
  std::string_view name;
  std::string_view meaning;
  std::vector<RecordField> fields;  // in the order in which they are written

  RecordField& add(std::string_view field_name, std::string_view field_meaning, const ValueType& type,
                   const FieldRange& range, std::size_t offset);
  const RecordField& field(std::string_view field_name) const;  // throws std::out_of_range
};

// `into` and `from`: the struct that `record` describes. `inherited`: the range of numbers that have none of
// their own.
void read_record(const JsonPlace& place, const RecordType& record, void* into,
                 const FieldRange& inherited = ranges::kAny);
void write_record(JsonText& json, const RecordType& record, const void* from);

// Of a Document, and of one of its rows.
const RecordType& document_record();
const RecordType& row_record();

}  // namespace ringside
