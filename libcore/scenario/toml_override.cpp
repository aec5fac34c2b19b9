#include "scenario/toml_override.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "scenario/toml_parse.hpp"

namespace ringside {
namespace {

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

TomlEntries parse_assignment(const std::string& assignment, const std::string& flag) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || assignment.find('\n') != std::string::npos) {
    throw UsageError(fmt::format("{}: without a value; expected KEY=VALUE", flag));
  }
  try {
    return parse_toml(assignment, flag);
  } catch (const UsageError&) {
    const std::string path = assignment.substr(0, equals);
    return parse_toml(path + '=' + toml_string(trim(assignment.substr(equals + 1))), flag);
  }
}

void mark(TomlValue& value, const std::string& flag) {
  value.place.flag = flag;
  if (auto* table = std::get_if<TomlEntries>(&value.data)) {
    for (TomlEntry& entry : *table) {
      entry.place.flag = flag;
      mark(entry.value, flag);
    }
  }
  if (auto* array = std::get_if<TomlArray>(&value.data)) {
    for (TomlValue& element : *array) mark(element, flag);
  }
}

void merge(TomlEntries& target, TomlEntries overlay, const std::string& flag);

void merge(TomlValue& target, TomlValue overlay, const std::string& flag) {
  auto* path = std::get_if<TomlEntries>(&overlay.data);
  if (auto* table = std::get_if<TomlEntries>(&target.data); table != nullptr && path != nullptr) {
    return merge(*table, std::move(*path), flag);
  }
  auto* array = std::get_if<TomlArray>(&target.data);
  if (array == nullptr || path == nullptr) {
    target = std::move(overlay);
    return;
  }
  for (TomlEntry& entry : *path) {
    const std::string& key = entry.key;
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size() || index >= array->size()) {
      throw UsageError(fmt::format("{}: '{}' is no element of an array of {}", flag, key, array->size()));
    }
    merge((*array)[index], std::move(entry.value), flag);
  }
}

void merge(TomlEntries& target, TomlEntries overlay, const std::string& flag) {
  for (TomlEntry& entry : overlay) {
    if (TomlEntry* old = find_entry(target, entry.key)) {
      merge(old->value, std::move(entry.value), flag);
    } else {
      target.push_back(std::move(entry));
    }
  }
}

}  // namespace

void override_toml(TomlEntries& document, const std::string& assignment) {
  const std::string flag = "--set " + assignment;
  TomlEntries overlay = parse_assignment(assignment, flag);
  for (TomlEntry& entry : overlay) {
    entry.place.flag = flag;
    mark(entry.value, flag);
  }
  merge(document, std::move(overlay), flag);
}

}  // namespace ringside
