#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringside {

// Where something was written: a line and column (from 1) of the document, or the flag that put it there.
struct TomlPlace {
  int line = 1;
  int column = 1;
  std::string flag;  // "--set link.bandwidth_gbps=50"; empty: in the document
};

struct TomlEntry;
struct TomlValue;
using TomlArray = std::vector<TomlValue>;
using TomlEntries = std::vector<TomlEntry>;  // a table, in the order of the document

// A date or time of day: no scenario uses them, so that one is kept is enough.
struct TomlDate {};

struct TomlValue {
  std::variant<std::string, std::int64_t, double, bool, TomlDate, TomlArray, TomlEntries> data;
  TomlPlace place;
};

struct TomlEntry {
  std::string key;
  TomlPlace place;  // of the key
  TomlValue value;
};

// The entry with this key, or null.
const TomlEntry* find_entry(const TomlEntries& table, std::string_view key);
TomlEntry* find_entry(TomlEntries& table, std::string_view key);

// What a value is, for messages: `the string "abc"`, `the number 12`, `a table`.
std::string describe(const TomlValue& value);

}  // namespace ringside
