#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/request_scenario.hpp"

namespace ringside {

// What `run-spec` is asked for.
struct SpecOptions {
  std::string scenario;               // a name or a file; empty: the default one
  std::vector<std::string> sets;      // PATH=VALUE, in the place of the scenario's values
  std::optional<std::string> config;  // a config.json
  std::vector<std::string> logs;      // server logs
  std::optional<double> compute_us;   // per layer, between the calls of a replay
  std::optional<double> skew_us;      // of the last rank, at each call of a replay
  RequestOverrides flags;

  // Throws UsageError when they contradict each other.
  void check() const;

  // The files that they name to be read.
  std::vector<std::string> inputs() const;
};

}  // namespace ringside
