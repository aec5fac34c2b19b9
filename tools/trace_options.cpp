#include "trace_options.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "option_values.hpp"

namespace ringside {
namespace {

double gigabytes(const std::string& text) {
  const Value value = parse_scalar(text);
  const auto* real = value.as<double>();
  const auto* whole = value.as<std::int64_t>();
  const double number = real ? *real : whole ? static_cast<double>(*whole) : -1;
  if (number <= 0 || number > 1e6) throw UsageError(fmt::format("'{}' is no number of gigabytes", text));
  return number;
}

std::vector<std::string> outcome_names() {
  std::vector<std::string> names = scenario_names("signatures");
  names.insert(names.begin(), "pass");
  return names;
}

}  // namespace

void TraceOptions::declare(OptionTable& options) {
  const auto keep = [](std::optional<std::string>& target) {
    return [&target](const std::string& text) { target = text; };
  };
  options.argument("SCENARIO", "a launch by name (ringside list traces) or a TOML file", keep(scenario));
  options.choices(scenario_names("traces"));
  options.rest("-- COMMAND",
               "the server's own command: python -m sglang.launch_server ..., or sglang serve ...",
               [this](const std::string& word) { command.push_back(word); });
  options.group("What to trace");
  options.value("--command-file", "FILE", "A launch script to read the command from; it is not run.",
                keep(command_file));
  options.value("--log", "FILE", "A server's log; - is stdin.", keep(log));
  options.flag("--live", "Run COMMAND with a hook that reports what happens to the metadata.", live);
  options.group("Which server");
  options.value("--sglang", "VERSION", "A version or commit (ringside list pipelines), or a pipeline file.",
                keep(sglang));
  options.choices(scenario_names("pipelines"));
  options.value("--source", "DIR",
                "An SGLang source tree: its own lines and conditions. Nothing of it is run.", keep(source));
  options.flag("--all-models", "The table of model classes: hook, and with what each would fail.",
               all_models);
  options.value("--write-pipeline", "FILE", "The pipeline that was read from --source, as TOML.",
                keep(write_pipeline));
  options.group("What else is known");
  options.value("--model-config", "FILE", "The model's config.json.", keep(model_config));
  options.value("--draft-model-config", "FILE", "The draft model's config.json.", keep(draft_model_config));
  options.value("--gpu", "ARCH", "sm80, sm90, sm100, sm120: the GPU, for conditions that ask for it.",
                keep(gpu));
  options.value("--gpu-memory", "GB", "Total memory of a GPU.",
                [this](const std::string& text) { gpu_memory = gigabytes(text); });
  options.value("--free-after-weights", "GB", "What the weights leave free on a GPU.",
                [this](const std::string& text) { free_after_weights = gigabytes(text); });
  options.group("Questions");
  options.flag("--what-if", "The smallest changes of flags that lead to another outcome.", what_if);
  options.value("--expect", "OUTCOME", "pass or a signature's id: exit 6 when it ends otherwise.",
                keep(expect));
  options.choices(outcome_names());
  options.flag("--nvtx", "Play the steps back as NVTX ranges of the domain ringside.", nvtx);
  common.declare_outputs(options);
  common.declare_display(options);
}

void TraceOptions::check() const {
  common.check();
  const int ways = (scenario ? 1 : 0) + (command.empty() ? 0 : 1) + (command_file ? 1 : 0);
  if (ways > 1) throw UsageError("a scenario, --command-file and a command behind -- exclude each other");
  if (live && command.empty()) throw UsageError("--live needs the server's command behind --");
  if (live && log) throw UsageError("--live and --log exclude each other");
  if (sglang && source) throw UsageError("--sglang and --source exclude each other");
  if (write_pipeline && !source) throw UsageError("--write-pipeline needs --source");
  if (all_models && !source && !sglang) throw UsageError("--all-models needs --source or --sglang");
  if (ways == 0 && !log && !all_models && !write_pipeline)
    throw UsageError("nothing to trace: give a scenario, a command behind --, --command-file or --log");
}

}  // namespace ringside
