#pragma once

#include <functional>

#include "console.hpp"
#include "outputs.hpp"
#include "run/device_choice.hpp"
#include "run/monitor.hpp"

namespace ringside {

// A run's messages on stderr, and its Document to the output files as rows finish (null: at the end alone).
// Both must outlive it.
class ConsoleMonitor final : public RunMonitor {
 public:
  ConsoleMonitor(Console& console, Outputs* outputs) : console_(console), outputs_(outputs) {}

  void note(const std::string& message) override { console_.note(message); }
  void error(const std::string& message) override { console_.error(message); }
  void log(const std::string& line) override { console_.log(line); }
  void progress(const SweepProgress& progress) override { console_.progress(progress); }
  void end_progress() override { console_.clear_progress(); }
  void checkpoint(const Document& document) override;
  const char* interrupt_notice() const override { return console_.interrupt_notice(); }

 private:
  Console& console_;
  Outputs* outputs_;
};

// Says why `auto` chose the device, where it did.
void note_device(const DeviceChoice& device, RunMonitor& monitor);

// What `run` returns. Where it fails behind a measurement (a step that draws conclusions from it), the
// failure is said and the Document stays to be written.
ExitCode run_and_keep(const std::function<ExitCode()>& run, const Document& document, Console& console);

// The Document to all outputs. Failures are said, and make `code` worse.
ExitCode write_outputs(Outputs& outputs, const Document& document, Console& console, ExitCode code);

}  // namespace ringside
