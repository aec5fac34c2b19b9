#include "run/trace_options.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "base/errors.hpp"
#include "run/option_inputs.hpp"
#include "run/trace_ras.hpp"
#include "trace/core/framework.hpp"

namespace ringside {

namespace {

struct Given {
  const char* option;
  bool given;
};

// The first of these options that is given.
const char* first_given(std::initializer_list<Given> options) {
  for (const Given& one : options)
    if (one.given) return one.option;
  return nullptr;
}

void refuse_useless(const char* way, const char* option, const char* needs = nullptr) {
  if (option)
    throw UsageError(needs ? fmt::format("{} can't use {} without {}", way, option, needs)
                           : fmt::format("{} can't use {}", way, option));
}

}  // namespace

void TraceOptions::check_ways(int ways) const {
  if (ways > 1) throw UsageError("a scenario, --command-file and a command behind -- exclude each other");
  if (live && command.empty()) throw UsageError("--live needs the server's command behind --");
  if (live && log) throw UsageError("--live and --log exclude each other");
  if (sglang && source) throw UsageError("--sglang and --source exclude each other");
  if (write_pipeline && !source) throw UsageError("--write-pipeline needs --source");
  if (all_models && !source && !sglang) throw UsageError("--all-models needs --source or --sglang");
  if (ras && (ways > 0 || log || live || all_models || write_pipeline || what_if))
    throw UsageError("--ras asks a job that runs: it goes with --py-spy and --expect alone");
  if (!py_spy.empty() && !ras) throw UsageError("--py-spy needs --ras");
  if (ways == 0 && !log && !ras && !all_models && !write_pipeline)
    throw UsageError(
        "nothing to trace: give a scenario, a command behind --, --command-file, --log or --ras");
}

void TraceOptions::check_server() const {
  if (!server) return;
  const Framework& chosen = framework(*server);
  if (sglang && *server != "sglang") throw UsageError(fmt::format("--server {} can't use --sglang", *server));
  if (live && !chosen.has_live_hook())
    throw UsageError(fmt::format("--live has no hook for {}", chosen.title()));
}

void TraceOptions::check() const {
  check_server();
  const int ways = (scenario ? 1 : 0) + (command.empty() ? 0 : 1) + (command_file ? 1 : 0);
  check_ways(ways);
  const char* fact = first_given({{"--model-config", model_config.has_value()},
                                  {"--draft-model-config", draft_model_config.has_value()},
                                  {"--gpu", gpu.has_value()},
                                  {"--gpu-memory", gpu_memory.has_value()},
                                  {"--free-after-weights", free_after_weights.has_value()}});
  const char* question =
      first_given({{"--what-if", what_if}, {"--expect", expect.has_value()}, {"--scope", !scopes.empty()}});
  if (all_models || write_pipeline) {
    const char* way = all_models ? "--all-models" : "--write-pipeline";
    refuse_useless(way, ways > 0 ? "a launch" : nullptr);
    refuse_useless(way, first_given({{"--log", log.has_value()}, {"--live", live}}));
    refuse_useless(way, fact);
    refuse_useless(way, question);
    return;
  }
  if (live) {
    refuse_useless("--live",
                   first_given({{"--sglang", sglang.has_value()}, {"--source", source.has_value()}}));
    refuse_useless("--live", fact);
    refuse_useless("--live", what_if ? "--what-if" : nullptr);
  }
  if (log && ways == 0) {
    refuse_useless("--log", what_if ? "--what-if" : nullptr, "a command");
    if (!source && !sglang) refuse_useless("--log", fact, "a command, --source or --sglang");
  }
  if (!scopes.empty() && !expect && !scenario)
    throw UsageError("--scope says what --expect needs: give --expect too");
}

std::vector<std::string> TraceOptions::inputs() const {
  std::vector<std::string> files;
  add_scenario(scenario, files);
  add_scenario(sglang, files);
  for (const auto* option : {&command_file, &log, &model_config, &draft_model_config})
    add_file(*option, files);
  if (ras && !is_address(*ras)) add_file(ras, files);
  for (const std::string& dump : py_spy) add_file(dump, files);
  return files;
}

}  // namespace ringside
