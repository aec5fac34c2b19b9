#include "trace_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "option_values.hpp"
#include "trace/core/coverage.hpp"
#include "trace/core/framework.hpp"
#include "trace/core/value.hpp"

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

std::vector<std::string> outcome_choices() {
  std::vector<std::string> names = scenario_names("signatures");
  names.insert(names.begin(), {"no-failure-found", "refused", "unknown", "unknown-death", "pass"});
  return names;
}

std::vector<std::string> scopes_of(const std::string& text) {
  const std::vector<std::string> known = {kArgumentsScope, kExpertsScope, kMemoryScope};
  std::vector<std::string> scopes;
  for (const std::string& name : split(text, ',')) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(fmt::format("--scope: unknown scope '{}'{}; valid: {}", name,
                                   did_you_mean(name, known), join(known, ", ")));
    scopes.push_back(name);
  }
  return scopes;
}

}  // namespace

void declare_trace_options(TraceOptions& target, OptionTable& options) {
  const auto keep = [](std::optional<std::string>& kept) {
    return [&kept](const std::string& text) { kept = text; };
  };
  options.argument("SCENARIO", "a launch by name (ringside list traces) or a TOML file",
                   keep(target.scenario));
  options.choices(scenario_names("traces"));
  options.rest(
      "-- COMMAND",
      "the server's own command: python -m sglang.launch_server ..., sglang serve ..., or vllm serve ...",
      [&target](const std::string& word) { target.command.push_back(word); });
  options.group("What to trace");
  options.value("--command-file", "FILE", "A launch script to read the command from; it is not run.",
                keep(target.command_file));
  options.value("--log", "FILE", "A server's log; - is stdin.", keep(target.log));
  options.value("--ras", "FILE|HOST:PORT",
                "NCCL's RAS of a job that hangs: its JSON, or where it answers (localhost:28028).",
                keep(target.ras));
  options.repeatable("--py-spy", "FILE", "With --ras: what py-spy dump said of its processes; several times.",
                     [&target](const std::string& path) { target.py_spy.push_back(path); });
  options.flag("--live", "Run COMMAND with a hook that reports what happens to the metadata.", target.live);
  options.group("Which server");
  options.value("--server", "NAME", "sglang or vllm; default: the one that the command starts, else sglang.",
                keep(target.server));
  options.choices(framework_names());
  options.value("--sglang", "VERSION", "A version or commit (ringside list pipelines), or a pipeline file.",
                keep(target.sglang));
  options.choices(scenario_names("pipelines"));
  options.value("--source", "DIR",
                "The server's source tree (SGLang, or with --server vllm vLLM): its own lines and "
                "conditions. Nothing of it is run.",
                keep(target.source));
  options.flag("--all-models", "The table of model classes: hook, and with what each would fail.",
               target.all_models);
  options.value("--write-pipeline", "FILE", "The pipeline that was read from --source, as TOML.",
                keep(target.write_pipeline));
  options.group("What else is known");
  options.value("--model-config", "FILE", "The model's config.json.", keep(target.model_config));
  options.value("--draft-model-config", "FILE", "The draft model's config.json.",
                keep(target.draft_model_config));
  options.value("--gpu", "ARCH", "sm80, sm90, sm100, sm120: the GPU, for conditions that ask for it.",
                keep(target.gpu));
  options.value("--gpu-memory", "GB", "Total memory of a GPU.",
                [&target](const std::string& text) { target.gpu_memory = gigabytes(text); });
  options.value("--free-after-weights", "GB", "What the weights leave free on a GPU.",
                [&target](const std::string& text) { target.free_after_weights = gigabytes(text); });
  options.group("Questions");
  options.flag("--what-if", "The smallest changes of flags that lead to another outcome.", target.what_if);
  options.value(
      "--expect", "OUTCOME",
      "no-failure-found, refused, unknown-death, unknown or a signature's id: exit 6 when it ends otherwise.",
      keep(target.expect));
  options.choices(outcome_choices());
  options.value(
      "--scope", "LIST",
      "What --expect needs: arguments, experts, memory (default: the first two). Exit 7 when no failure "
      "is found and one of these was not looked at.",
      [&target](const std::string& text) { target.scopes = scopes_of(text); });
}

}  // namespace ringside
