#include "run/trace_options.hpp"

#include "base/errors.hpp"
#include "run/option_inputs.hpp"
#include "run/trace_ras.hpp"

namespace ringside {

void TraceOptions::check() const {
  const int ways = (scenario ? 1 : 0) + (command.empty() ? 0 : 1) + (command_file ? 1 : 0);
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
