#include "scenario/toml_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "scenario/toml_override.hpp"
#include "scenario/toml_parse.hpp"

namespace ringside {
namespace {

std::string table_name(const std::string& path) {
  return path.empty() ? "the document" : "[" + path + "]";
}

}  // namespace

TomlTable::TomlTable(const TomlDocument& document, const TomlEntries& entries, TomlPlace place,
                     std::string path)
    : document_(&document), entries_(&entries), place_(std::move(place)), path_(std::move(path)) {
  document_->asked_[entries_];  // known to finish(), even when no key is asked for
}

const TomlValue* TomlTable::ask(std::string_view key) const {
  document_->asked_[entries_].emplace(key);
  const TomlEntry* entry = find_entry(*entries_, key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::optional<std::string> TomlTable::find_text(std::string_view key) const {
  const TomlValue* value = ask(key);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->data);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

bool TomlTable::holds_table(std::string_view key) const {
  const TomlValue* value = ask(key);
  return value != nullptr && std::holds_alternative<TomlEntries>(value->data);
}

UsageError TomlTable::error(std::string_view key, const std::string& what) const {
  const TomlEntry* entry = find_entry(*entries_, key);
  return UsageError(document_->at(entry == nullptr ? place_ : entry->value.place) + what);
}

UsageError TomlTable::element_error(std::string_view key, std::size_t index, const std::string& what) const {
  const TomlEntry* entry = find_entry(*entries_, key);
  const auto* array = entry == nullptr ? nullptr : std::get_if<TomlArray>(&entry->value.data);
  if (array == nullptr || index >= array->size()) return error(key, what);
  return UsageError(document_->at((*array)[index].place) + what);
}

UsageError TomlTable::missing(std::string_view key) const {
  const std::string near = nearest_name(key, keys());
  const TomlEntry* entry = find_entry(*entries_, near);
  const std::string what = fmt::format("'{}' is missing in {}", key, table_name(path_));
  if (entry == nullptr) return UsageError(document_->at(place_) + what);
  return UsageError(document_->at(entry->place) + what + fmt::format(" (is it meant by '{}'?)", near));
}

TomlTable TomlTable::below(const TomlValue& value, std::string path) const {
  const auto* entries = std::get_if<TomlEntries>(&value.data);
  if (entries == nullptr) {
    throw UsageError(document_->at(value.place) +
                     fmt::format("[{}] must be a table, not {}", path, describe(value)));
  }
  return {*document_, *entries, value.place, std::move(path)};
}

TomlTable TomlTable::table(std::string_view key) const {
  std::optional<TomlTable> found = find_table(key);
  if (!found) throw missing(key);
  return *std::move(found);
}

std::optional<TomlTable> TomlTable::find_table(std::string_view key) const {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  return below(*value, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const TomlValue* value = ask(key);
  if (value == nullptr) return {};
  const auto* array = std::get_if<TomlArray>(&value->data);
  if (array == nullptr)
    throw error(key,
                fmt::format("'{}' must be an array of tables ([[{}]]), not {}", key, key, describe(*value)));
  std::vector<TomlTable> tables;
  for (const TomlValue& element : *array) {
    const std::string name = fmt::format("{}[{}]", key, tables.size());
    tables.push_back(below(element, path_.empty() ? name : path_ + "." + name));
  }
  return tables;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> keys;
  for (const TomlEntry& entry : *entries_) keys.push_back(entry.key);
  return keys;
}

TomlDocument::TomlDocument(const ScenarioText& scenario, const std::vector<std::string>& overrides)
    : origin_(scenario.origin), entries_(parse_toml(scenario.text, scenario.origin)) {
  for (const std::string& assignment : overrides) override_toml(entries_, assignment);
}

TomlTable TomlDocument::root() const {
  return {*this, entries_, {}, ""};
}

std::string TomlDocument::at(const TomlPlace& place) const {
  if (!place.flag.empty()) return place.flag + ": ";
  return fmt::format("{}:{}:{}: ", origin_, place.line, place.column);
}

UsageError TomlDocument::unknown(const TomlEntry& entry, const TomlEntries& table,
                                 const std::string& name) const {
  const std::set<std::string>& asked = asked_.at(&table);
  const std::vector<std::string> valid(asked.begin(), asked.end());
  std::string hint = did_you_mean(entry.key, valid);
  // Who sets a key by a flag doesn't have the document before their eyes.
  const TomlEntry* near = find_entry(table, nearest_name(entry.key, valid));
  if (near != nullptr && !entry.place.flag.empty() && near->place.flag.empty()) {
    hint = fmt::format(" (did you mean '{}', {}:{}:{}?)", near->key, origin_, near->place.line,
                       near->place.column);
  }
  return UsageError(at(entry.place) + fmt::format("unknown key '{}' in {}{}; valid: {}", entry.key, name,
                                                  hint, join(valid, ", ")));
}

void TomlDocument::finish() const {
  finish_table(entries_, "");
}

void TomlDocument::finish_table(const TomlEntries& table, const std::string& path) const {
  const auto read = asked_.find(&table);
  if (read == asked_.end()) return;  // taken as one value by whoever asked for it
  for (const TomlEntry& entry : table) {
    if (!read->second.contains(entry.key)) throw unknown(entry, table, table_name(path));
    const std::string below = path.empty() ? entry.key : path + "." + entry.key;
    if (const auto* inner = std::get_if<TomlEntries>(&entry.value.data)) finish_table(*inner, below);
    const auto* array = std::get_if<TomlArray>(&entry.value.data);
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (const auto* inner = std::get_if<TomlEntries>(&(*array)[i].data)) {
        finish_table(*inner, fmt::format("{}[{}]", below, i));
      }
    }
  }
}

}  // namespace ringside
