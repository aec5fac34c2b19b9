#include "served/model/config_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostList = 100'000;

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

}  // namespace

void ReadingNotes::use(const std::string& key) {
  add_once(used, key);
}

void ReadingNotes::doubt(const std::string& sentence) {
  add_once(not_understood, sentence);
}

void ReadingNotes::derive(const std::string& sentence) {
  add_once(derived, sentence);
}

ConfigLevel::ConfigLevel(const ConfigObject& object, std::string origin, std::string path,
                         ReadingNotes& notes)
    : object_(&object), origin_(std::move(origin)), path_(std::move(path)), notes_(&notes) {}

const ConfigObject* ConfigLevel::find(std::initializer_list<const char*> names) const {
  for (const char* name : names) {
    const ConfigObject* found = object_->find(name);
    if (found == nullptr || found->is_null()) continue;
    notes_->use(path_ + name);
    return found;
  }
  return nullptr;
}

bool ConfigLevel::has(const char* name) const {
  return !(*object_)[name].is_null();
}

void ConfigLevel::set_aside(std::initializer_list<const char*> names) const {
  for (const char* name : names) notes_->idle.push_back(path_ + name);
}

std::optional<double> ConfigLevel::count(std::initializer_list<const char*> names,
                                         const CountLimits& limits) const {
  const std::optional<double> first = first_count(names, limits);
  for (const char* name : names) {
    const ConfigObject* found = first ? find({name}) : nullptr;
    if (found == nullptr || (found->is_number() && found->number() == *first)) continue;
    notes_->doubt(fmt::format("'{}{}' is {}, and another key for the same is {:g}", path_, name,
                              found->is_number() ? fmt::format("{:g}", found->number()) : "no number",
                              *first));
  }
  return first;
}

std::optional<double> ConfigLevel::first_count(std::initializer_list<const char*> names,
                                               const CountLimits& limits) const {
  for (const char* name : names) {
    const ConfigObject* found = find({name});
    if (found == nullptr) continue;
    if (!found->is_number()) throw UsageError(fmt::format("{}: '{}' must be a number", origin_, name));
    const double value = found->number();
    if (!(value >= limits.least && value <= limits.most) || value != std::floor(value)) {
      throw UsageError(fmt::format("{}: '{}' must be a whole number from {} to {}, not {}", origin_, name,
                                   limits.least, limits.most, value));
    }
    return value;
  }
  return std::nullopt;
}

double ConfigLevel::count_or(std::initializer_list<const char*> names, double otherwise,
                             const CountLimits& limits) const {
  return count(names, limits).value_or(otherwise);
}

double ConfigLevel::need(std::initializer_list<const char*> names, const CountLimits& limits) const {
  if (const auto value = count(names, limits)) return *value;
  throw UsageError(fmt::format("{}: '{}' is missing", origin_, *names.begin()));
}

std::optional<bool> ConfigLevel::flag(const char* name) const {
  const ConfigObject* found = find({name});
  if (found == nullptr || !found->is_boolean()) return std::nullopt;
  return found->boolean();
}

std::string ConfigLevel::text(std::initializer_list<const char*> names) const {
  const ConfigObject* found = find(names);
  return found != nullptr && found->is_string() ? found->text() : "";
}

std::optional<std::vector<std::string>> ConfigLevel::texts(const char* name) const {
  const ConfigObject* found = find({name});
  if (found == nullptr) return std::nullopt;
  std::vector<std::string> list;
  const bool right =
      found->is_list() && found->list().size() <= kMostList &&
      std::ranges::all_of(found->list(), [](const ConfigObject& item) { return item.is_string(); });
  if (!right) {
    notes_->doubt(fmt::format("'{}{}' is no list of texts", path_, name));
    return std::nullopt;
  }
  for (const ConfigObject& item : found->list()) list.push_back(item.text());
  return list;
}

std::optional<std::vector<double>> ConfigLevel::numbers(const char* name) const {
  const ConfigObject* found = find({name});
  if (found == nullptr) return std::nullopt;
  const auto is_count = [](const ConfigObject& item) {
    return item.is_boolean() || (item.is_number() && std::abs(item.number()) <= kCount.most);
  };
  if (!found->is_list() || found->list().size() > kMostList ||
      !std::ranges::all_of(found->list(), is_count)) {
    notes_->doubt(fmt::format("'{}{}' is no list of numbers up to {}", path_, name, kCount.most));
    return std::nullopt;
  }
  std::vector<double> list;
  for (const ConfigObject& item : found->list())
    list.push_back(item.is_boolean() ? static_cast<double>(item.boolean()) : item.number());
  return list;
}

std::optional<ConfigLevel> ConfigLevel::level(const char* name) const {
  const ConfigObject* found = object_->find(name);
  if (found == nullptr || !found->is_object()) return std::nullopt;
  return ConfigLevel(*found, origin_, fmt::format("{}{}.", path_, name), *notes_);
}

}  // namespace ringside
