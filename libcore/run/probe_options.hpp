#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/gate_options.hpp"
#include "sweep/request_scenario.hpp"

namespace ringside {

// What a measurement of collectives is asked for, before defaults, scenario and this box are looked at.
struct ProbeOptions {
  RequestOverrides flags;
  std::optional<std::string> scenario;  // a name or a file
  bool profile = false;
  bool tune = false;
  bool calibrate = false;
  std::optional<std::string> against;       // another build of ringside
  std::map<std::string, double> slowdowns;  // SweepRequest::slowdowns
  GateOptions gate;                         // of `against`
  bool confirm = true;                      // of `against`: suspects get a second look

  // Throws UsageError when they contradict each other.
  void check() const;

  // The files that they name to be read or run.
  std::vector<std::string> inputs() const;
};

}  // namespace ringside
