#include "served/config_json.hpp"

#include <algorithm>

#include "served/model/config_object.hpp"

namespace ringside {

namespace {

JsonScalar scalar(const ConfigObject& value) {
  if (value.is_boolean()) return value.boolean();
  if (value.is_whole()) return std::get<std::int64_t>(value.value());
  if (value.is_number()) return value.number();
  if (value.is_string()) return value.text();
  return std::monostate{};
}

// Lists and objects without any scalar say nothing.
bool has_scalar(const ConfigObject& value) {
  if (!value.is_structured()) return true;
  return std::ranges::any_of(value.list(), has_scalar) ||
         std::ranges::any_of(value.members(), has_scalar, &ConfigObject::Member::value);
}

// A quantisation's own keys, and the first members of its lists: "quantization_config.weight_block_size.0".
void add_quantization(const ConfigObject& quantization, std::map<std::string, ConfigValue>& values) {
  constexpr std::size_t kMostMembers = 4;
  const std::string name = "quantization_config";
  values[name] = std::string("given");
  for (const auto& [own, value] : quantization.members()) {
    const std::string key = name + "." + own;
    if (value.is_list()) {
      values[key] = std::string("a list");
      for (std::size_t i = 0; i < std::min(value.list().size(), kMostMembers); ++i) {
        if (!value.list()[i].is_structured()) values[key + "." + std::to_string(i)] = scalar(value.list()[i]);
      }
    } else if (!value.is_structured()) {
      values[key] = scalar(value);
    }
  }
}

void add_keys(const ConfigObject& level, std::map<std::string, ConfigValue>& values) {
  for (const auto& [name, value] : level.members()) {
    if (!value.is_structured()) {
      values[name] = scalar(value);
    } else if (name != "architectures" && has_scalar(value)) {
      values[name] = std::nullopt;
    }
    if (name == "quantization_config" && value.is_object()) add_quantization(value, values);
    if (name != "eagle_config" || !value.is_object()) continue;
    for (const auto& [own, inner] : value.members()) {
      if (!inner.is_structured()) values[own] = scalar(inner);
    }
  }
}

}  // namespace

ConfigKeys read_config_json(const std::string& text, const std::string& origin) {
  const ConfigObject root = parse_config_object(text, origin);
  ConfigKeys keys;
  keys.name = origin;
  keys.architecture = first_architecture(root);
  keys.complete = true;
  add_keys(root, keys.values);
  const ConfigObject* nested = root.find("text_config");
  if (nested == nullptr || !nested->is_object()) return keys;
  keys.values.erase("text_config");  // its keys stand for it
  add_keys(*nested, keys.values);    // the server looks there first
  return keys;
}

}  // namespace ringside
