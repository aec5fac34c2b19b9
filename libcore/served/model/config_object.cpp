#include "served/model/config_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::array<std::string_view, 3> kNoNumbers = {"-Infinity", "Infinity", "NaN"};

template <class Kind>
const Kind& value_or_empty(const ConfigObject::Value& value) {
  static const Kind empty{};
  const Kind* found = std::get_if<Kind>(&value);
  return found == nullptr ? empty : *found;
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

// Builds the value while the text is read. Only the innermost list or object grows, so those around it stay
// where they are.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(std::string origin) : origin_(std::move(origin)) {}

  ConfigObject take() { return std::move(root_); }

  bool null() override { return add(ConfigObject()); }
  bool boolean(bool value) override { return add(ConfigObject(value)); }
  bool number_integer(number_integer_t value) override { return add(ConfigObject(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= static_cast<number_unsigned_t>(INT64_MAX);
    return add(fits ? ConfigObject(static_cast<std::int64_t>(value))
                    : ConfigObject(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return add(ConfigObject(value));
  }
  bool string(string_t& value) override { return add(ConfigObject(std::move(value))); }
  bool binary(binary_t& /*value*/) override { return add(ConfigObject()); }
  bool key(string_t& name) override {
    name_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*size*/) override { return open(ConfigObject(ConfigObject::Members{})); }
  bool start_array(std::size_t /*size*/) override { return open(ConfigObject(ConfigObject::List{})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& problem) override {
    throw UsageError(fmt::format("{}: no JSON: {}", origin_, problem.what()));
  }

 private:
  ConfigObject& put(ConfigObject value) {
    if (open_.empty()) return root_ = std::move(value);
    ConfigObject::Value& within = open_.back()->value();
    if (auto* members = std::get_if<ConfigObject::Members>(&within)) {
      members->push_back({std::move(name_), std::move(value)});
      return members->back().value;
    }
    auto& list = std::get<ConfigObject::List>(within);
    list.push_back(std::move(value));
    return list.back();
  }

  bool add(ConfigObject value) {
    put(std::move(value));
    return true;
  }

  bool open(ConfigObject value) {
    if (open_.size() >= kMaxDepth)
      throw UsageError(fmt::format("{}: nested more than {} deep", origin_, kMaxDepth));
    open_.push_back(&put(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string origin_;
  ConfigObject root_;
  std::vector<ConfigObject*> open_;  // from the root inwards
  std::string name_;                 // of the member that comes next
};

}  // namespace

bool ConfigObject::boolean() const {
  return value_or_empty<bool>(value_);
}

double ConfigObject::number() const {
  return is_whole() ? static_cast<double>(std::get<std::int64_t>(value_)) : value_or_empty<double>(value_);
}

const std::string& ConfigObject::text() const {
  return value_or_empty<std::string>(value_);
}

const ConfigObject::List& ConfigObject::list() const {
  return value_or_empty<List>(value_);
}

const ConfigObject::Members& ConfigObject::members() const {
  return value_or_empty<Members>(value_);
}

const ConfigObject* ConfigObject::find(std::string_view name) const {
  const Members& all = members();
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [&](const Member& member) { return member.name == name; });
  return found == all.rend() ? nullptr : &found->value;
}

const ConfigObject& ConfigObject::operator[](std::string_view name) const {
  static const ConfigObject null;
  const ConfigObject* found = find(name);
  return found == nullptr ? null : *found;
}

ConfigObject parse_config_object(const std::string& text, const std::string& origin) {
  Builder builder(origin);
  nlohmann::json::sax_parse(without_infinities(text), &builder);
  ConfigObject root = builder.take();
  if (!root.is_object()) throw UsageError(fmt::format("{}: a config.json is an object", origin));
  return root;
}

std::string first_letters(const std::string& text, std::size_t most) {
  std::size_t end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::string first_architecture(const ConfigObject& level) {
  const ConfigObject::List& list = level["architectures"].list();
  return list.empty() ? "" : list.front().text();
}

}  // namespace ringside
