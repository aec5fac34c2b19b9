#pragma once

#include <optional>
#include <string>

#include "common_options.hpp"
#include "measure/request_scenario.hpp"
#include "options.hpp"

namespace ringside {

// What `ringside probe-comm` was told.
struct ProbeOptions {
  RequestOverrides flags;
  std::optional<std::string> scenario;  // a name or a file
  bool plan = false;
  CommonOptions common;

  void declare(OptionTable& options);
  // Throws UsageError when they contradict each other.
  void check() const;
};

}  // namespace ringside
