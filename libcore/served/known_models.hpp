#pragma once

#include <string>

#include "scenario/toml_reader.hpp"
#include "served/config_json.hpp"

namespace ringside {

// The built-in keys of the model that `path` names (a repository such as "moonshotai/Kimi-K2.5", or a
// folder); keys without a name when it is none of the well-known ones (scenarios/models/). Names count whole,
// whatever their letter case: one that only begins like a known one is not known.
ConfigKeys well_known_model(const std::string& path);

// A [model] of a scenario: architecture, values (whole numbers), absent (keys without a value), complete, and
// a name, or else this one. Throws UsageError with the place.
ConfigKeys read_config_keys(const TomlTable& table, const std::string& otherwise);

}  // namespace ringside
