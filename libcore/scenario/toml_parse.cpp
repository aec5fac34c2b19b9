#include "scenario/toml_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/units.hpp"
#include "scenario/toml_key_depth.hpp"

namespace {
struct BrokenAssertion {};
[[noreturn]] void break_assertion() {
  throw BrokenAssertion{};
}
}  // namespace

// toml++ 3.3 asserts what some malformed texts break (a '[' at the end of a line), and assumes it with
// NDEBUG. Here it is checked in every build, and a text that breaks it is no TOML.
#undef NDEBUG
#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? static_cast<void>(0) : break_assertion())
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

bool breaks_assertion(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error&) {
  } catch (const BrokenAssertion&) {
    return true;
  }
  return false;
}

// The line on which the parser breaks its assertion: the last one of the shortest beginning of `text` that
// does so.
int breaking_line(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ends.push_back(at + 1);
  const auto first = std::partition_point(
      ends.begin(), ends.end(), [&](std::size_t end) { return !breaks_assertion(text.substr(0, end)); });
  return static_cast<int>(first - ends.begin()) + 1;
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
  } catch (const BrokenAssertion&) {
    throw UsageError(fmt::format("{}:{}:1: not valid TOML", origin, breaking_line(text)));
  }
}

}  // namespace ringside
