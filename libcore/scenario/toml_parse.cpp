#include "scenario/toml_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/units.hpp"
#include "scenario/toml_key_depth.hpp"

#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

namespace ringside {
namespace {

static_assert(TOML_MAX_NESTED_VALUES == kMaxTomlNesting);

TomlPlace place_of(const toml::source_region& source) {
  return {.line = static_cast<int>(source.begin.line),
          .column = static_cast<int>(source.begin.column),
          .flag = {}};
}

TomlEntries convert(const toml::table& table);

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.place = place_of(node.source());
  node.visit([&](const auto& typed) {
    using Node = std::decay_t<decltype(typed)>;
    if constexpr (toml::is_table<Node>) {
      value.data = convert(static_cast<const toml::table&>(typed));
    } else if constexpr (toml::is_array<Node>) {
      TomlArray elements;
      for (const toml::node& element : typed) elements.push_back(convert(element));
      value.data = std::move(elements);
    } else if constexpr (toml::is_string<Node> || toml::is_integer<Node> || toml::is_floating_point<Node> ||
                         toml::is_boolean<Node>) {
      value.data = typed.get();
    } else {
      value.data = TomlDate{};
    }
  });
  return value;
}

TomlEntries convert(const toml::table& table) {
  TomlEntries entries;
  for (const auto& [key, node] : table) {
    entries.push_back({std::string(key.str()), place_of(key.source()), convert(node)});
  }
  // toml++ keeps tables by name; people think of a file from top to bottom.
  std::sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return entries;
}

}  // namespace

TomlEntries parse_toml(std::string_view text, const std::string& origin) {
  if (text.size() > kMaxTomlBytes) {
    throw UsageError(
        fmt::format("{}: too long for a scenario: more than {}", origin, format_bytes({kMaxTomlBytes})));
  }
  check_key_depth(text, kMaxTomlNesting, origin);
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const TomlPlace place = place_of(error.source());
    throw UsageError(fmt::format("{}:{}:{}: not valid TOML: {}", origin, place.line, place.column,
                                 printable(error.description())));
  }
}

}  // namespace ringside
