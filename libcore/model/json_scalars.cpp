#include "model/json_scalars.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 64;

JsonScalar scalar(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::monostate{};
}

void flatten(const Json& value, const std::string& path, int depth, std::vector<JsonEntry>& entries) {
  if (depth > kMaxDepth) return;
  if (value.is_object()) {
    for (const auto& item : value.items())
      flatten(item.value(), path.empty() ? item.key() : path + "." + item.key(), depth + 1, entries);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      flatten(value[i], fmt::format("{}[{}]", path, i), depth + 1, entries);
  } else {
    entries.push_back({path, scalar(value)});
  }
}

// Nesting is limited before the library builds the tree, whose destructor would recurse as deep.
Json parse(const std::string& text, const std::string& origin) {
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > kMaxDepth) throw UsageError(fmt::format("{}: nested more than {} deep", origin, kMaxDepth));
      return true;
    });
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{}: {}", origin, error.what()));
  }
}

}  // namespace

std::vector<JsonEntry> json_scalars(const std::string& text, const std::string& origin) {
  const Json root = parse(text, origin);
  if (!root.is_object()) throw UsageError(fmt::format("{}: a JSON object was expected", origin));
  std::vector<JsonEntry> entries;
  flatten(root, "", 0, entries);
  return entries;
}

}  // namespace ringside
