#include "scenario/toml_value.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringside {
namespace {

// A whole string would make an endless line of a message.
std::string shorten(const std::string& text) {
  constexpr std::size_t longest = 40;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

struct Describe {
  std::string operator()(const std::string& text) const {
    return fmt::format("the string \"{}\"", shorten(text));
  }
  std::string operator()(std::int64_t number) const { return fmt::format("the number {}", number); }
  std::string operator()(double number) const { return fmt::format("the number {}", number); }
  std::string operator()(bool value) const { return fmt::format("the boolean {}", value); }
  std::string operator()(TomlDate) const { return "a date or time"; }
  std::string operator()(const TomlArray&) const { return "an array"; }
  std::string operator()(const TomlEntries&) const { return "a table"; }
};

}  // namespace

TomlEntry* find_entry(TomlEntries& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const TomlEntry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

const TomlEntry* find_entry(const TomlEntries& table, std::string_view key) {
  return find_entry(const_cast<TomlEntries&>(table), key);
}

std::string describe(const TomlValue& value) {
  return std::visit(Describe{}, value.data);
}

}  // namespace ringside
