#include "served/config_json.hpp"

#include <algorithm>

#include "served/model/config_tree.hpp"

namespace ringside {

namespace {

using Json = nlohmann::ordered_json;  // of two keys that mean one value the later counts

JsonScalar scalar(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::monostate{};
}

// Lists and objects without any scalar say nothing.
bool has_scalar(const Json& value) {
  if (!value.is_structured()) return true;
  for (const Json& item : value)
    if (has_scalar(item)) return true;
  return false;
}

// A quantisation's own keys, and the first members of its lists: "quantization_config.weight_block_size.0".
void add_quantization(const Json& quantization, std::map<std::string, ConfigValue>& values) {
  const std::string name = "quantization_config";
  values[name] = std::string("given");
  for (const auto& item : quantization.items()) {
    const std::string key = name + "." + item.key();
    if (item.value().is_array()) {
      values[key] = std::string("a list");
      for (std::size_t i = 0; i < std::min<std::size_t>(item.value().size(), 4); ++i)
        if (!item.value()[i].is_structured()) values[key + "." + std::to_string(i)] = scalar(item.value()[i]);
    } else if (!item.value().is_structured()) {
      values[key] = scalar(item.value());
    }
  }
}

void add_keys(const Json& level, std::map<std::string, ConfigValue>& values) {
  for (const auto& item : level.items()) {
    const Json& value = item.value();
    if (!value.is_structured())
      values[item.key()] = scalar(value);
    else if (item.key() != "architectures" && has_scalar(value))
      values[item.key()] = std::nullopt;
    if (item.key() == "quantization_config" && value.is_object()) add_quantization(value, values);
    if (item.key() != "eagle_config" || !value.is_object()) continue;
    for (const auto& own : value.items())
      if (!own.value().is_structured()) values[own.key()] = scalar(own.value());
  }
}

}  // namespace

ConfigKeys read_config_json(const std::string& text, const std::string& origin) {
  const Json root = parse_config_object<Json>(text, origin);
  ConfigKeys keys;
  keys.name = origin;
  keys.architecture = first_architecture(root);
  keys.complete = true;
  add_keys(root, keys.values);
  const auto nested = root.find("text_config");
  if (nested == root.end() || !nested->is_object()) return keys;
  keys.values.erase("text_config");  // its keys stand for it
  add_keys(*nested, keys.values);    // the server looks there first
  return keys;
}

}  // namespace ringside
