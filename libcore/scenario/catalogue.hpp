#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// A scenario file in this binary.
struct EmbeddedScenario {
  std::string_view path;  // under scenarios/: "machines/h200x2-nvlink.toml"
  std::string_view text;
};

std::span<const EmbeddedScenario> embedded_scenarios();

// A scenario's text and where it came from (for messages: "machines/x.toml" or the path given).
struct ScenarioText {
  std::string name;  // file name without folder and extension
  std::string origin;
  std::string text;
};

// Whether it is the name of a file, as below, and not of an embedded scenario.
bool names_file(const std::string& name);

// `name` is a file (it holds a '/' or ends in ".toml") or the name of an embedded scenario of `folder`
// ("machines", "sweeps"). Throws UsageError that names the nearest.
ScenarioText find_scenario(std::string_view folder, const std::string& name);

// The embedded scenarios of a folder, by name.
std::vector<ScenarioText> list_scenarios(std::string_view folder);

}  // namespace ringside
