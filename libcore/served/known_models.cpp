#include "served/known_models.hpp"

#include <algorithm>
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

bool is_match(const TomlTable& table, const std::string& path) {
  const auto names = table.get<std::vector<std::string>>("match");
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return path.find(normalised(name)) != std::string::npos;
  });
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
  const std::string wanted = normalised(path);
  for (const ScenarioText& scenario : list_scenarios(kFolder)) {
    const TomlDocument document(scenario);
    for (const TomlTable& table : document.root().tables("model"))
      if (is_match(table, wanted)) return read_config_keys(table, scenario.name);
  }
  return {};
}

}  // namespace ringside
