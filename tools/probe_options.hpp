#pragma once

#include <optional>
#include <string>

#include "common_options.hpp"
#include "options.hpp"
#include "run/probe_options.hpp"

namespace ringside {

// What the command line of probe-comm says.
struct ProbeCommandLine {
  ProbeOptions probe;
  std::optional<std::string> fit;     // a result to make a machine profile of
  std::optional<std::string> fit_to;  // where the profile goes
  bool plan = false;
  bool no_confirm = false;
  CommonOptions common;

  void declare(OptionTable& options);
  // Throws UsageError when they contradict each other.
  void check();
};

}  // namespace ringside
