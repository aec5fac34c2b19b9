#include "model/json_place.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
      return nlohmann::json(shortened(node.string()))
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    case JsonKind::array:
      return "array";
    case JsonKind::object:
      return "object";
  }
  return "";
}

}  // namespace

const JsonNode& JsonPlace::demand(bool holds, const char* expected) const {
  if (holds) return *value_;
  throw error(fmt::format("expected {}, found {}", expected, shown(*value_)));
}

const JsonNode* JsonPlace::find(std::string_view key) const {
  demand(value_->kind == JsonKind::object, "an object");
  const JsonNode* name = last_found_ != nullptr ? last_found_ : value_ + 1;
  for (std::uint32_t i = 0; i < value_->size; ++i) {
    if (name->string() == key) {
      last_found_ = name;
      return name + 1;
    }
    name = name[1].next();
    if (name == value_->next()) name = value_ + 1;
  }
  return nullptr;
}

bool JsonPlace::has(std::string_view key) const {
  return find(key) != nullptr;
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

double JsonPlace::number() const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value_->kind == JsonKind::whole) return static_cast<double>(value_->is.whole);
  return demand(value_->kind == JsonKind::number, "a number").is.number;
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

std::uint64_t JsonPlace::whole_up_to(std::uint64_t most) const {
  const bool fits = value_->kind == JsonKind::whole && value_->is.whole <= most;
  if (fits) return value_->is.whole;
  throw error(fmt::format("expected a whole number from 0 to {}, found {}", most, shown(*value_)));
}

std::size_t JsonPlace::elements() const {
  return demand(value_->kind == JsonKind::array, "an array").size;
}

}  // namespace ringside
