#include "trace/sglang/launch_scenario.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "served/known_models.hpp"
#include "trace/core/pipeline_toml.hpp"
#include "trace/sglang/launch_command.hpp"
#include "trace/sglang/launch_model.hpp"

namespace ringside {

namespace {

constexpr const char* kPipelines = "pipelines";
constexpr std::string_view kPrefix = "sglang-";

bool is_commit(std::string_view text) {
  return text.size() >= 7 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

LaunchScenario read_launch_scenario(const ScenarioText& text) {
  const TomlDocument document(text);
  const TomlTable root = document.root();
  LaunchScenario scenario;
  scenario.name = text.name;
  scenario.origin = text.origin;
  if (const auto kind = root.find<std::string>("kind")) {
    if (*kind != "init-pipeline")
      throw root.error("kind",
                       fmt::format("'init-pipeline' was expected (or no kind at all), not '{}'", *kind));
    scenario.own_pipeline = read_pipeline(root, text);
    scenario.title = scenario.own_pipeline->title;
  } else {
    scenario.title = root.get<std::string>("title");
    scenario.pipeline = root.get<std::string>("pipeline");
  }
  scenario.command = root.find<std::string>("command").value_or("");
  scenario.expect = root.find<std::string>("expect").value_or("");
  if (const auto table = root.find_table("model"))
    scenario.model = launch_model(read_config_keys(*table, "the scenario's model"));
  if (const auto table = root.find_table("memory"))
    for (const std::string& key : table->keys()) scenario.memory[key] = table->get<double>(key, {0, 1e6});
  if (const auto table = root.find_table("hardware"))
    for (const std::string& key : table->keys()) scenario.hardware[key] = table->get<bool>(key);
  document.finish();
  return scenario;
}

Launch make_launch(const LaunchScenario& scenario, const Pipeline& pipeline) {
  Launch launch;
  if (!trim(scenario.command).empty())
    launch = read_launch(find_server_command(read_shell_script(scenario.command), scenario.origin), pipeline);
  if (scenario.model) launch.model = *scenario.model;
  launch.memory = scenario.memory;
  launch.hardware = scenario.hardware;
  add_models(launch);
  return launch;
}

Pipeline find_pipeline(const std::string& name) {
  std::string wanted = name;
  if (wanted.find('/') == std::string::npos && !wanted.ends_with(".toml")) {
    if (wanted.starts_with("v") && wanted.size() > 1 && std::isdigit(static_cast<unsigned char>(wanted[1])))
      wanted.erase(0, 1);
    if (!wanted.starts_with(kPrefix)) wanted = std::string(kPrefix) + wanted;
    const std::string commit = wanted.substr(kPrefix.size());
    for (const ScenarioText& known : list_scenarios(kPipelines)) {
      const std::string id = known.name.substr(std::min(known.name.size(), kPrefix.size()));
      if (is_commit(commit) && is_commit(id) && (commit.starts_with(id) || id.starts_with(commit)))
        wanted = known.name;
    }
  }
  return read_pipeline(find_scenario(kPipelines, wanted));
}

}  // namespace ringside
