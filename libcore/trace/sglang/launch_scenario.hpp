#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/catalogue.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// A launch that is described in scenarios/traces/: a pipeline, a command, and what else is known.
struct LaunchScenario {
  std::string name;
  std::string title;
  std::string pipeline;  // name of an embedded one, or a path; empty: the scenario holds its own
  std::optional<Pipeline> own_pipeline;
  std::string command;
  std::optional<LaunchModel> model;  // over what the command's model path says
  std::map<std::string, Value> memory;
  std::map<std::string, Value> hardware;
  std::string expect;  // the outcome; may be empty
  std::string origin;
};

// Throws UsageError with the place for what is not as it must be.
LaunchScenario read_launch_scenario(const ScenarioText& text);

// The launch of a scenario, read with the flags of its pipeline.
Launch make_launch(const LaunchScenario& scenario, const Pipeline& pipeline);

// An embedded pipeline by its name, its version or its commit ("sglang-0.5.9", "0.5.9", "v0.5.9",
// "82a0bafc1..."), or one in a file. Throws UsageError that names the nearest.
Pipeline find_pipeline(const std::string& name);

}  // namespace ringside
