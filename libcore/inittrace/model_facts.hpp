#pragma once

#include <string>
#include <vector>

#include "inittrace/launch.hpp"

namespace ringside {

// The built-in facts of the model that `path` names (a repository such as "moonshotai/Kimi-K2.5", or a
// folder); facts without a name when it is none of the well-known ones.
ModelFacts well_known_model(const std::string& path);

// The facts in a model's config.json. Throws UsageError for a file that can't be read or is no JSON object.
ModelFacts read_model_config(const std::string& path);

// The well-known model or, where the path is a folder with a config.json, its own facts; unknown where it is
// neither.
ModelFacts find_model(const Value& path);

// Fills in the launch's model and draft from its own arguments, unless they are known already.
void add_models(Launch& launch);

}  // namespace ringside
