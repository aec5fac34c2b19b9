#include "trace/sglang/launch_model.hpp"

#include <sys/stat.h>

#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "base/input_file.hpp"
#include "served/known_models.hpp"

namespace ringside {

namespace {

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

LaunchModel launch_model(const ConfigKeys& keys) {
  LaunchModel facts;
  if (keys.name.empty()) return facts;
  facts.name = keys.name;
  facts.complete = keys.complete;
  if (keys.architecture.empty())
    facts.architecture = Unknown{fmt::format("{} names no architecture", keys.name)};
  else
    facts.architecture = keys.architecture;
  for (const auto& [key, value] : keys.values)
    facts.values[key] = value ? to_value(*value) : Value(Unknown{fmt::format("{} is no plain value", key)});
  return facts;
}

LaunchModel read_model_config(const std::string& path) {
  return launch_model(read_config_json(read_text_file(path), path));
}

LaunchModel find_model(const Value& path) {
  const auto* text = path.as<std::string>();
  if (!text) return {};
  if (is_file(*text + "/config.json")) return read_model_config(*text + "/config.json");
  return launch_model(well_known_model(*text));
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
      launch.findings.push_back({finding_kind("unknown-model"),
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
