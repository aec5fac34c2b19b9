#pragma once

#include <string>

#include "spec/scenario.hpp"

namespace ringside {

// The [model] of a scenario. Throws UsageError with the place.
ModelShape read_model(const TomlTable& table);

// A document whose [model] read_model reads back as this.
std::string model_toml(const ModelShape& model);

}  // namespace ringside
