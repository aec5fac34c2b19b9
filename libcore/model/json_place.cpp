#include "model/json_place.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

const Json& json(const void* value) {
  return *static_cast<const Json*>(value);
}

// What a hostile file says may be as long as the file.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 200;  // bytes
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

const Json& demand(const JsonPlace& place, const void* value, bool holds, const std::string& expected) {
  const Json& found = json(value);
  if (holds) return found;
  const std::string shown =
      found.is_structured() ? found.type_name() : found.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw place.error(fmt::format("expected {}, found {}", expected, shown));
}

const Json& object(const JsonPlace& place, const void* value) {
  return demand(place, value, json(value).is_object(), "an object");
}

}  // namespace

bool JsonPlace::has(std::string_view key) const {
  return object(*this, value_).contains(std::string(key));
}

JsonPlace JsonPlace::operator[](std::string_view key) const {
  const auto found = object(*this, value_).find(std::string(key));
  if (found == json(value_).end()) throw error(fmt::format("the key '{}' is missing", key));
  return {&*found, *this, key, 0};
}

bool JsonPlace::boolean() const {
  return demand(*this, value_, json(value_).is_boolean(), "true or false").get<bool>();
}

std::string JsonPlace::text() const {
  return demand(*this, value_, json(value_).is_string(), "a string").get<std::string>();
}

double JsonPlace::number() const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  return demand(*this, value_, json(value_).is_number(), "a number").get<double>();
}

std::vector<std::pair<std::string, std::string>> JsonPlace::facts() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& item : object(*this, value_).items())
    pairs.emplace_back(item.key(), JsonPlace(&item.value(), *this, item.key(), 0).text());
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

bool JsonPlace::is_null() const {
  return json(value_).is_null();
}

std::uint64_t JsonPlace::whole_up_to(std::uint64_t most) const {
  const Json& value = json(value_);
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= most;
  return demand(*this, value_, fits, fmt::format("a whole number from 0 to {}", most)).get<std::uint64_t>();
}

std::size_t JsonPlace::elements() const {
  return demand(*this, value_, json(value_).is_array(), "an array").size();
}

JsonPlace JsonPlace::element(std::size_t index) const {
  return {&json(value_)[index], *this, "", index};
}

}  // namespace ringside
