#include "inittrace/model_facts.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/input_file.hpp"
#include "model/json_scalars.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {

namespace {

constexpr const char* kFolder = "models";

std::string normalised(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

Value read_value(const TomlTable& table, const std::string& key) {
  return table.get<std::int64_t>(key);
}

ModelFacts read_model(const TomlTable& table) {
  ModelFacts facts;
  facts.name = table.get<std::string>("name");
  facts.architecture = table.get<std::string>("architecture");
  facts.complete = table.find<bool>("complete").value_or(false);
  if (const auto values = table.find_table("values"))
    for (const std::string& key : values->keys()) facts.values[key] = read_value(*values, key);
  for (const std::string& key :
       table.find<std::vector<std::string>>("absent").value_or(std::vector<std::string>{}))
    facts.values[key] = None{};
  return facts;
}

bool is_match(const TomlTable& table, const std::string& path) {
  const auto names = table.get<std::vector<std::string>>("match");
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return path.find(normalised(name)) != std::string::npos;
  });
}

Value to_value(const JsonScalar& scalar) {
  return std::visit(
      [](const auto& value) -> Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return None{};
        else
          return value;
      },
      scalar);
}

bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace

ModelFacts well_known_model(const std::string& path) {
  const std::string wanted = normalised(path);
  for (const ScenarioText& scenario : list_scenarios(kFolder)) {
    const TomlDocument document(scenario);
    for (const TomlTable& table : document.root().tables("model"))
      if (is_match(table, wanted)) return read_model(table);
  }
  return {};
}

ModelFacts read_model_config(const std::string& path) {
  ModelFacts facts;
  facts.name = path;
  facts.complete = true;
  facts.architecture = Unknown{fmt::format("{} names no architecture", path)};
  const std::vector<JsonEntry> entries = json_scalars(read_text_file(path), path);
  // Keys of text_config count before those of the top level, as the server looks there first.
  for (const bool nested : {false, true}) {
    for (const JsonEntry& entry : entries) {
      std::string key = entry.path;
      const bool inside = key.starts_with("text_config.");
      if (inside != nested) continue;
      if (inside) key = key.substr(12);
      if (key == "architectures[0]" && !inside) facts.architecture = to_value(entry.value);
      const std::size_t below = key.find_first_of(".[");
      if (below == std::string::npos) {
        facts.values[key] = to_value(entry.value);
      } else if (!key.starts_with("architectures[")) {  // it is there, but no plain value
        facts.values[key.substr(0, below)] =
            Unknown{fmt::format("{} is no plain value", key.substr(0, below))};
      }
      if (key.starts_with("eagle_config.")) facts.values[key.substr(13)] = to_value(entry.value);
    }
  }
  return facts;
}

ModelFacts find_model(const Value& path) {
  const auto* text = path.as<std::string>();
  if (!text) return {};
  if (is_file(*text + "/config.json")) return read_model_config(*text + "/config.json");
  return well_known_model(*text);
}

void add_models(Launch& launch) {
  const auto path_of = [&](const char* field) {
    const auto found = launch.args.find(field);
    return found == launch.args.end() ? Value() : found->second;
  };
  if (launch.model.name.empty()) {
    const Value path = path_of("model_path");
    launch.model = find_model(path);
    if (launch.model.name.empty())
      launch.findings.push_back({"unknown-model",
                                 Severity::warning,
                                 "model",
                                 path.is_none() ? "the command names no model"
                                                : fmt::format("the model {} is not known", to_text(path)),
                                 {},
                                 "give its configuration with --model-config FILE"});
  }
  if (launch.draft.name.empty() && !path_of("speculative_draft_model_path").is_none())
    launch.draft = find_model(path_of("speculative_draft_model_path"));
}

}  // namespace ringside
