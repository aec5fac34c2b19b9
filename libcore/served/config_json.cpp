#include "served/config_json.hpp"

#include <algorithm>

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

#include <algorithm>

#include "served/model/config_object.hpp"
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
