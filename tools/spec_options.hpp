#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "measure/request_scenario.hpp"

namespace ringside {

// What `ringside run-spec` was asked.
struct SpecOptions {
  std::string scenario;
  bool scenario_given = false;
  std::vector<std::string> sets;      // --set path=value
  std::optional<std::string> config;  // a config.json
  std::vector<std::string> logs;      // server logs
  std::optional<double> compute_us;   // per layer, between the calls of a replay
  std::optional<double> skew_us;      // of the last rank, at each call of a replay
  RequestOverrides flags;
  CommonOptions common;

  void declare(OptionTable& options);
  void check() const;
};

}  // namespace ringside
