#include "served/model/config_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMostList = 100'000;
constexpr std::array<std::string_view, 3> kNoNumbers = {"-Infinity", "Infinity", "NaN"};
constexpr auto kReplace = ConfigObject::error_handler_t::replace;

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

// Python writes numbers that JSON doesn't have (a time_step_limit of [0, Infinity]); nothing here needs them.
std::string without_infinities(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\' && i + 1 < text.size()) result += text[i++];
    const std::string_view rest = std::string_view(text).substr(i);
    const auto word =
        std::ranges::find_if(kNoNumbers, [&](std::string_view name) { return rest.starts_with(name); });
    if (quoted || word == kNoNumbers.end()) {
      result += text[i];
      continue;
    }
    result += "null";
    i += word->size() - 1;
  }
  return result;
}

}  // namespace

template <class Json>
Json parse_config_object(const std::string& text, const std::string& origin) {
  Json root;
  try {
    root = Json::parse(without_infinities(text), [&](int depth, typename Json::parse_event_t, Json&) {
      if (depth > kMaxDepth) throw UsageError(fmt::format("{}: nested more than {} deep", origin, kMaxDepth));
      return true;
    });
  } catch (const typename Json::exception& problem) {
    throw UsageError(fmt::format("{}: no JSON: {}", origin, problem.what()));
  }
  if (!root.is_object()) throw UsageError(fmt::format("{}: a config.json is an object", origin));
  return root;
}

template ConfigObject parse_config_object(const std::string& text, const std::string& origin);
template nlohmann::ordered_json parse_config_object(const std::string& text, const std::string& origin);

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
    const auto found = object_->find(name);
    if (found == object_->end() || found->is_null()) continue;
    notes_->use(path_ + name);
    return &*found;
  }
  return nullptr;
}

bool ConfigLevel::has(const char* name) const {
  const auto found = object_->find(name);
  return found != object_->end() && !found->is_null();
}

void ConfigLevel::set_aside(std::initializer_list<const char*> names) const {
  for (const char* name : names) notes_->idle.push_back(path_ + name);
}

std::optional<double> ConfigLevel::count(std::initializer_list<const char*> names,
                                         const CountLimits& limits) const {
  const std::optional<double> first = first_count(names, limits);
  for (const char* name : names) {
    const ConfigObject* found = first ? find({name}) : nullptr;
    if (found != nullptr && *found != *first) {
      notes_->doubt(fmt::format("'{}{}' is {}, and another key for the same is {:g}", path_, name,
                                found->is_structured() ? "no number" : found->dump(-1, ' ', true, kReplace),
                                *first));
    }
  }
  return first;
}

std::optional<double> ConfigLevel::first_count(std::initializer_list<const char*> names,
                                               const CountLimits& limits) const {
  for (const char* name : names) {
    const ConfigObject* found = find({name});
    if (found == nullptr) continue;
    if (!found->is_number()) throw UsageError(fmt::format("{}: '{}' must be a number", origin_, name));
    const double value = found->get<double>();
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
  return found->get<bool>();
}

std::string ConfigLevel::text(std::initializer_list<const char*> names) const {
  const ConfigObject* found = find(names);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

std::optional<std::vector<std::string>> ConfigLevel::texts(const char* name) const {
  const ConfigObject* found = find({name});
  if (found == nullptr) return std::nullopt;
  std::vector<std::string> list;
  const bool right = found->is_array() && found->size() <= kMostList &&
                     std::ranges::all_of(*found, [](const ConfigObject& item) { return item.is_string(); });
  if (!right) {
    notes_->doubt(fmt::format("'{}{}' is no list of texts", path_, name));
    return std::nullopt;
  }
  for (const ConfigObject& item : *found) list.push_back(item.get<std::string>());
  return list;
}

std::optional<std::vector<double>> ConfigLevel::numbers(const char* name) const {
  const ConfigObject* found = find({name});
  if (found == nullptr) return std::nullopt;
  const auto is_count = [](const ConfigObject& item) {
    return item.is_boolean() || (item.is_number() && std::abs(item.get<double>()) <= kCount.most);
  };
  if (!found->is_array() || found->size() > kMostList || !std::ranges::all_of(*found, is_count)) {
    notes_->doubt(fmt::format("'{}{}' is no list of numbers up to {}", path_, name, kCount.most));
    return std::nullopt;
  }
  std::vector<double> list;
  for (const ConfigObject& item : *found)
    list.push_back(item.is_boolean() ? static_cast<double>(item.get<bool>()) : item.get<double>());
  return list;
}

std::optional<ConfigLevel> ConfigLevel::level(const char* name) const {
  const auto found = object_->find(name);
  if (found == object_->end() || !found->is_object()) return std::nullopt;
  return ConfigLevel(*found, origin_, fmt::format("{}{}.", path_, name), *notes_);
}

}  // namespace ringside
