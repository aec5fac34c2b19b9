#pragma once

#include <string>

#include "served/config_json.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// What the tracer needs of a model's configuration; facts without a name for keys without one.
LaunchModel launch_model(const ConfigKeys& keys);

// The facts in a model's config.json. Throws UsageError for a file that can't be read or is no JSON object.
LaunchModel read_model_config(const std::string& path);

// The well-known model or, where the path is a folder with a config.json, its own facts; unknown where it is
// neither.
LaunchModel find_model(const Value& path);

// Fills in the launch's model and draft from its own arguments, unless they are known already.
void add_models(Launch& launch);

}  // namespace ringside
