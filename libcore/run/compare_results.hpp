#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/exit_code.hpp"
#include "model/document.hpp"
#include "run/gate_options.hpp"
#include "run/monitor.hpp"
#include "sweep/request_scenario.hpp"

namespace ringside {

// What `compare` is asked for.
struct CompareOptions {
  std::vector<std::string> base;  // files of --json, one at least
  std::vector<std::string> now;   // likewise
  bool across_machines = false;   // report ratios of different machines, without judging
  bool confirm = false;           // measure what looks slower again, on ranks of this box
  RequestOverrides again{};       // how, as far as that is no case: those are of the new result
  GateOptions gate;

  // Throws UsageError for a side without files.
  void check() const;

  // The files that they name to be read.
  std::vector<std::string> inputs() const;
};

// Reads both sides and compares them. Starts ranks only with options.confirm, and only for cases that look
// slower; `result` keeps its command and is complete when it returns. Throws UsageError.
ExitCode compare_results(const CompareOptions& options, const Clock& clock, RunMonitor& monitor,
                         Document& result);

}  // namespace ringside
