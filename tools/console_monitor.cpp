#include "console_monitor.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "run/measured_run.hpp"

namespace ringside {

void ConsoleMonitor::checkpoint(const Document& document) {
  if (outputs_ == nullptr) return;
  for (const std::string& failure : outputs_->checkpoint(document))
    console_.error(failure + " (the run goes on)");
}

void note_device(const DeviceChoice& device, RunMonitor& monitor) {
  if (!device.reason.empty())
    monitor.note(fmt::format("device {}: {}", to_string(device.kind), device.reason));
}

ExitCode run_and_keep(const std::function<ExitCode()>& run, const Document& document, Console& console) {
  try {
    return run();
  } catch (const Error& problem) {
    if (!holds_measurement(document)) throw;
    console.error(problem.what());
    return problem.code();
  }
}

ExitCode write_outputs(Outputs& outputs, const Document& document, Console& console, ExitCode code) {
  for (const std::string& failure : outputs.write(document)) {
    console.error(failure);
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace ringside
