#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/errors.hpp"
#include "scenario/catalogue.hpp"
#include "scenario/toml_value.hpp"

namespace ringside {

class TomlDocument;

// What a number must lie in, ends included; of durations the seconds, of sizes the bytes.
struct Range {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
};

// One table of a document, read key by key. Every error is a UsageError of one line that begins with the
// place, "file:line:column: ", or with the --set flag that put the value there. Valid as long as its
// document.
//
// T is one of std::string, bool, int, std::int64_t, double, Bytes (14336 or "2K"), Nanoseconds (seconds, or
// "500ms"), and std::vector of std::string, double or Bytes.
class TomlTable {
 public:
  // The value of a key that must be there.
  template <typename T>
  T get(std::string_view key, const Range& range = {}) const;

  // The value, or nothing when the key is absent.
  template <typename T>
  std::optional<T> find(std::string_view key, const Range& range = {}) const;

  // The value when it is a string: for keys that may also be something else.
  std::optional<std::string> find_text(std::string_view key) const;

  // Whether the value is a table: for keys that may be a number or a table.
  bool holds_table(std::string_view key) const;

  // The value as `parse` (DType parse_dtype(std::string_view), ...) reads it; what it throws gets the place.
  template <typename Parse>
  auto find_name(std::string_view key, Parse parse) const
      -> std::optional<std::invoke_result_t<Parse, std::string>>;

  // The same for an array of names.
  template <typename Parse>
  auto find_names(std::string_view key, Parse parse) const
      -> std::optional<std::vector<std::invoke_result_t<Parse, std::string>>>;

  // Tables below: [key], and [[key]] in the order of the document (none: empty).
  TomlTable table(std::string_view key) const;
  std::optional<TomlTable> find_table(std::string_view key) const;
  std::vector<TomlTable> tables(std::string_view key) const;

  // The keys that are there, in the order of the document, for tables whose keys are names of the scenario's
  // own.
  std::vector<std::string> keys() const;

  // What is wrong with the value of `key` (or with the table, where the key is absent), to be thrown.
  UsageError error(std::string_view key, const std::string& what) const;
  UsageError element_error(std::string_view key, std::size_t index, const std::string& what) const;

  const std::string& path() const { return path_; }  // "link", "steps[2]"; empty: the document itself

 private:
  friend class TomlDocument;
  TomlTable(const TomlDocument& document, const TomlEntries& entries, TomlPlace place, std::string path);

  const TomlValue* ask(std::string_view key) const;
  UsageError missing(std::string_view key) const;
  TomlTable below(const TomlValue& value, std::string path) const;

  const TomlDocument* document_;
  const TomlEntries* entries_;
  TomlPlace place_;
  std::string path_;
};

// A TOML document that is being read. It remembers which keys were asked for, so that finish() can reject the
// others.
class TomlDocument {
 public:
  // Throws UsageError when the text is no TOML, or an override can't be applied (see override_toml).
  explicit TomlDocument(const ScenarioText& scenario, const std::vector<std::string>& overrides = {});
  TomlDocument(const TomlDocument&) = delete;
  TomlDocument& operator=(const TomlDocument&) = delete;

  TomlTable root() const;

  // Throws UsageError for the first key that nothing asked for, with the nearest that could have been meant.
  void finish() const;

 private:
  friend class TomlTable;
  std::string at(const TomlPlace& place) const;  // "file:3:5: "
  UsageError unknown(const TomlEntry& entry, const TomlEntries& table, const std::string& name) const;
  void finish_table(const TomlEntries& table, const std::string& path) const;

  std::string origin_;
  TomlEntries entries_;
  mutable std::map<const TomlEntries*, std::set<std::string>> asked_;
};

template <typename Parse>
auto TomlTable::find_name(std::string_view key, Parse parse) const
    -> std::optional<std::invoke_result_t<Parse, std::string>> {
  const std::optional<std::string> text = find<std::string>(key);
  if (!text) return std::nullopt;
  try {
    return parse(*text);
  } catch (const UsageError& problem) {
    throw error(key, problem.what());
  }
}

template <typename Parse>
auto TomlTable::find_names(std::string_view key, Parse parse) const
    -> std::optional<std::vector<std::invoke_result_t<Parse, std::string>>> {
  const auto texts = find<std::vector<std::string>>(key);
  if (!texts) return std::nullopt;
  std::vector<std::invoke_result_t<Parse, std::string>> values;
  for (const std::string& text : *texts) {
    try {
      values.push_back(parse(text));
    } catch (const UsageError& problem) {
      throw element_error(key, values.size(), problem.what());
    }
  }
  return values;
}

}  // namespace ringside
