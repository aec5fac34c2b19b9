#include "served/known_models.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <variant>
#include <vector>

#include "scenario/catalogue.hpp"

namespace ringside {

namespace {

constexpr const char* kFolder = "models";

std::string normalised(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Endings that say how numbers are stored: the model is the same.
bool is_format(std::string_view ending) {
  static constexpr std::array<std::string_view, 16> kFormats = {
      "fp8", "fp4",  "nvfp4", "mxfp4", "mxfp8", "int4",   "int8",    "bf16",
      "awq", "gptq", "gguf",  "w4a16", "w8a8",  "w4afp8", "dynamic", "block"};
  return std::find(kFormats.begin(), kFormats.end(), ending) != kFormats.end();
}

// The name of a repository: the last part of the path, or what a hub's cache calls the repository's folder.
std::string repository(std::string path) {
  while (path.ends_with("/")) path.pop_back();
  constexpr std::string_view kCache = "models--";
  if (const std::size_t cached = path.rfind(kCache); cached != std::string::npos) {
    const std::size_t end = path.find('/', cached);
    const std::string folder = path.substr(cached, end == std::string::npos ? end : end - cached);
    return folder.substr(folder.rfind("--") + 2);
  }
  return path.substr(path.rfind('/') + 1);
}

std::string without_format(std::string name) {
  const std::string whole = name;
  if (name.ends_with("-v2")) name.resize(name.size() - 3);  // of a quantisation, where one stands before it
  bool quantised = false;
  for (std::size_t dash = name.rfind('-'); dash != std::string::npos && is_format(name.substr(dash + 1));
       dash = name.rfind('-')) {
    name.resize(dash);
    quantised = true;
  }
  return quantised ? name : whole;
}

bool is_match(const TomlTable& table, const std::string& name) {
  const auto names = table.get<std::vector<std::string>>("match");
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return name == normalised(known); });
}

}  // namespace

ConfigKeys read_config_keys(const TomlTable& table, const std::string& otherwise) {
  ConfigKeys keys;
  keys.name = table.find<std::string>("name").value_or(otherwise);
  keys.architecture = table.get<std::string>("architecture");
  keys.complete = table.find<bool>("complete").value_or(false);
  if (const auto values = table.find_table("values"))
    for (const std::string& key : values->keys()) keys.values[key] = values->get<std::int64_t>(key);
  for (const std::string& key :
       table.find<std::vector<std::string>>("absent").value_or(std::vector<std::string>{}))
    keys.values[key] = std::monostate{};
  return keys;
}

ConfigKeys well_known_model(const std::string& path) {
  const std::string wanted = without_format(repository(normalised(path)));
  for (const ScenarioText& scenario : list_scenarios(kFolder)) {
    const TomlDocument document(scenario);
    for (const TomlTable& table : document.root().tables("model"))
      if (is_match(table, wanted)) return read_config_keys(table, scenario.name);
  }
  return {};
}

}  // namespace ringside
