#pragma once

#include <map>
#include <optional>
#include <string>

#include "common_options.hpp"
#include "gate_options.hpp"
#include "measure/request_scenario.hpp"
#include "options.hpp"

namespace ringside {

// What `ringside probe-comm` was told.
struct ProbeOptions {
  RequestOverrides flags;
  std::optional<std::string> scenario;  // a name or a file
  std::optional<std::string> fit;       // a result to make a machine profile of
  std::optional<std::string> fit_to;    // where the profile goes
  bool plan = false;
  bool profile = false;
  bool tune = false;
  bool calibrate = false;
  std::optional<std::string> against;       // another build of ringside
  std::map<std::string, double> slowdowns;  // SweepRequest::slowdowns
  GateOptions gate;                         // of --against
  CommonOptions common;

  void declare(OptionTable& options);
  // Throws UsageError when they contradict each other.
  void check() const;
};

}  // namespace ringside
