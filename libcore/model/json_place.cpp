#include "model/json_place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/enum_names.hpp"
#include "model/json_text.hpp"

namespace ringside {
namespace {

// What a hostile file says may be as long as the file.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 200;  // bytes
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

// A value as a message shows it.
std::string shown(const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return node.is.truth ? "true" : "false";
    case JsonKind::whole:
      return fmt::format("{}", node.is.whole);
    case JsonKind::number:
      return fmt::format("{}", node.is.number);
    case JsonKind::string:
      return json_string(shortened(node.string()));
    case JsonKind::array:
      return "array";
    case JsonKind::object:
      return "object";
  }
  return "";
}

// Where values outside the range of their field are refused.
bool inside(double value, const FieldRange& range) {
  if (range.open && (value == range.least || value == range.most)) return false;
  return !(range.least && value < *range.least) && !(range.most && value > *range.most);  // NaN: absent
}

std::string describe(const FieldRange& range) {
  if (range.open && range.least && range.most)
    return fmt::format(" above {} and below {}", *range.least, *range.most);
  if (range.least && range.most) return fmt::format(" from {} to {}", *range.least, *range.most);
  if (range.least) return fmt::format(" of at least {}", *range.least);
  return range.most ? fmt::format(" of at most {}", *range.most) : "";
}

}  // namespace

const JsonNode& JsonPlace::demand(bool holds, const char* expected) const {
  if (holds) return *value_;
  throw error(fmt::format("expected {}, found {}", expected, shown(*value_)));
}

const JsonNode* JsonPlace::find(std::string_view key) const {
  demand(value_->kind == JsonKind::object, "an object");
  const JsonNode* name = next_key_ != nullptr ? next_key_ : value_ + 1;
  for (std::uint32_t i = 0; i < value_->size; ++i) {
    const JsonNode* const value = name + 1;
    const bool found = name->string() == key;
    name = value->next();
    if (name == value_->next()) name = value_ + 1;
    if (found) {
      next_key_ = name;
      return value;
    }
  }
  return nullptr;
}

JsonPlace JsonPlace::operator[](std::string_view key) const {
  const JsonNode* const found = find(key);
  if (found == nullptr) throw error(fmt::format("the key '{}' is missing", key));
  return {*found, *this, key, 0};
}

bool JsonPlace::boolean() const {
  return demand(value_->kind == JsonKind::boolean, "true or false").is.truth;
}

std::string JsonPlace::text() const {
  return std::string(demand(value_->kind == JsonKind::string, "a string").string());
}

double JsonPlace::number(const FieldRange& range) const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  const bool whole = value_->kind == JsonKind::whole;
  if (!whole) demand(value_->kind == JsonKind::number, "a number");
  const double value = whole ? static_cast<double>(value_->is.whole) : value_->is.number;
  if (inside(value, range)) return value;
  throw error(fmt::format("expected a number{}, found {}", describe(range), shown(*value_)));
}

void JsonPlace::numbers(const FieldRange& range, double* into) const {
  const JsonNode* node = value_ + 1;
  const std::size_t count = elements();
  for (std::size_t i = 0; i < count; ++i, node = node->next()) {
    const bool common = node->kind == JsonKind::number && inside(node->is.number, range);
    into[i] = common ? node->is.number : element(*node, i).number(range);
  }
}

std::vector<std::pair<std::string, std::string>> JsonPlace::facts() const {
  demand(value_->kind == JsonKind::object, "an object");
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(value_->size);
  const JsonNode* name = value_ + 1;
  for (std::uint32_t i = 0; i < value_->size; ++i, name = (name + 1)->next())
    pairs.emplace_back(name->string(), JsonPlace(name[1], *this, name->string(), 0).text());
  return pairs;
}

UsageError JsonPlace::error(const std::string& what) const {
  return UsageError(fmt::format("{}: {}: {}", *origin_, path(), shortened(what)));
}

std::string JsonPlace::path() const {
  if (parent_ == nullptr) return "$";
  if (key_.empty()) return fmt::format("{}[{}]", parent_->path(), index_);
  return fmt::format("{}.{}", parent_->path(), shortened(key_));
}

std::uint64_t JsonPlace::whole_up_to(std::uint64_t most, const FieldRange& range) const {
  const std::uint64_t least = range.least ? static_cast<std::uint64_t>(std::max(0.0, *range.least)) : 0;
  constexpr double kBeyond = 18446744073709551616.0;  // what 64 bits can't hold
  if (range.most && *range.most < kBeyond) most = std::min(most, static_cast<std::uint64_t>(*range.most));
  const bool fits = value_->kind == JsonKind::whole && value_->is.whole >= least && value_->is.whole <= most;
  if (fits) return value_->is.whole;
  throw error(fmt::format("expected a whole number from {} to {}, found {}", least, most, shown(*value_)));
}

std::size_t JsonPlace::word(std::string_view what, std::span<const std::string_view> names) const {
  const std::string_view word = demand(value_->kind == JsonKind::string, "a string").string();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  try {
    return index_of_name(word, what, std::vector<std::string_view>(names.begin(), names.end()));
  } catch (const UsageError& unknown) {
    throw error(unknown.what());
  }
}

std::size_t JsonPlace::elements() const {
  return demand(value_->kind == JsonKind::array, "an array").size;
}

}  // namespace ringside
