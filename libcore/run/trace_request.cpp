#include "run/trace_request.hpp"

#include <array>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/text.hpp"
#include "scenario/catalogue.hpp"
#include "served/server_command.hpp"
#include "trace/core/evaluate.hpp"
#include "trace/core/framework.hpp"
#include "trace/sglang/launch_model.hpp"
#include "trace/sglang/launch_scenario.hpp"

namespace ringside {
namespace {

constexpr const char* kFallbacks[] = {"TransformersForCausalLM", "TransformersMoEForCausalLM"};

void add_gpu(const std::string& name, Launch& launch) {
  launch.hardware = hardware_tests(name);
  if (launch.hardware.empty())
    throw UsageError(fmt::format("unknown GPU '{}'{}; valid: {}", name, did_you_mean(name, known_gpus()),
                                 join(known_gpus(), ", ")));
}

void add_options(const TraceOptions& options, Launch& launch) {
  if (options.gpu) add_gpu(*options.gpu, launch);
  if (options.gpu_memory) launch.memory["total"] = *options.gpu_memory;
  if (options.free_after_weights) launch.memory["free_after_weights"] = *options.free_after_weights;
  if (options.model_config) launch.model = read_model_config(*options.model_config);
  if (options.draft_model_config) launch.draft = read_model_config(*options.draft_model_config);
}

// The command as words, read once without a version: its model says which classes of a tree matter.
ServerCommand server_command(const TraceOptions& options, const std::optional<ShellScript>& script) {
  if (!options.command.empty()) return find_server_command(shell_words(options.command), "the command");
  return find_server_command(*script, *options.command_file);
}

std::vector<std::string> architectures_of(const Launch& launch) {
  std::vector<std::string> names(std::begin(kFallbacks), std::end(kFallbacks));
  for (const LaunchModel* model : {&launch.model, &launch.draft})
    if (const auto* name = model->architecture.as<std::string>()) names.push_back(*name);
  return names;
}

void note_broken_lines(const TraceOptions& options, const ShellScript& script, Launch& launch) {
  for (const ShellScript::BrokenLine& broken : script.broken_lines)
    launch.findings.push_back({finding_kind("broken-line"),
                               Severity::warning,
                               fmt::format("{}:{}", *options.command_file, broken.line),
                               fmt::format("{}:{}: {} and what follows is cut off from the command: {}",
                                           *options.command_file, broken.line, broken.option, broken.why),
                               {},
                               "end the line before it in a backslash, with nothing behind it"});
}

}  // namespace

std::optional<Pipeline> chosen_pipeline(const TraceOptions& options,
                                        const std::vector<std::string>& architectures,
                                        const std::string& server) {
  if (options.source)
    return framework(options.server.value_or(server))
        .read_source({*options.source, architectures, options.all_models});
  if (options.sglang) return find_pipeline(*options.sglang);
  return std::nullopt;
}

TraceRequest resolve(const TraceOptions& options) {
  TraceRequest request;
  for (const auto& config : {options.model_config, options.draft_model_config}) {
    if (config)
      request.inputs.push_back(
          input_text("model config", *config, read_text_file(*config), request.withheld));
  }
  request.expect = options.expect.value_or("");
  if (options.scenario) {
    const ScenarioText text = find_scenario("traces", *options.scenario);
    request.inputs.push_back(input_text("scenario", text.origin, text.text, request.withheld));
    LaunchScenario scenario = read_launch_scenario(text);
    const Launch look = make_launch(scenario, framework("sglang").first_look());
    auto chosen = chosen_pipeline(options, architectures_of(look));
    request.pipeline = chosen                  ? std::move(*chosen)
                       : scenario.own_pipeline ? std::move(*scenario.own_pipeline)
                                               : find_pipeline(scenario.pipeline);
    request.launch = make_launch(scenario, request.pipeline);
    add_options(options, request.launch);
    return request;
  }
  std::optional<ShellScript> script;
  if (options.command_file) {
    const std::string text = read_text_file(*options.command_file);
    request.inputs.push_back(input_text("command", *options.command_file, text, request.withheld, false));
    script = read_shell_script(text);
  }
  const ServerCommand command = server_command(options, script);
  const Framework& served = framework(command.server);
  if (options.server && *options.server != command.server)
    throw UsageError(fmt::format("--server {}: the command starts {}", *options.server, served.title()));
  Launch look = served.read_launch(command, served.first_look());
  add_options(options, look);
  add_models(look);
  auto chosen = chosen_pipeline(options, architectures_of(look), command.server);
  const bool assumed = !chosen;
  if (assumed && !served.newest_pipeline())
    throw UsageError(fmt::format("no version of {} is built in: give --source DIR for the tree that you run",
                                 served.title()));
  request.pipeline = assumed ? find_pipeline(*served.newest_pipeline()) : std::move(*chosen);
  if (request.pipeline.server != command.server)
    throw UsageError(fmt::format("the command starts {}, and the pipeline {} is one of {}", served.title(),
                                 request.pipeline.name, framework(request.pipeline.server).title()));
  request.launch = served.read_launch(command, request.pipeline);
  if (script) note_broken_lines(options, *script, request.launch);
  add_options(options, request.launch);
  add_models(request.launch);
  if (assumed)
    request.launch.findings.push_back(
        {finding_kind("assumed-version"),
         Severity::warning,
         "version",
         fmt::format("no version was given: {} is assumed", request.pipeline.title),
         {},
         "give --sglang VERSION, or --source DIR for the tree that you run"});
  return request;
}

}  // namespace ringside
