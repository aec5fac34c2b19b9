#pragma once

#include <string>

#include "spec/scenario.hpp"

namespace ringside {

// The shape of a model from its Hugging Face config.json; `text` is its content, `origin` its name for
// messages. What lies in a nested text_config is found there. Throws UsageError for what is no such file, and
// names the keys that an unknown architecture lacks.
ModelShape read_model_config(const std::string& text, const std::string& origin);

}  // namespace ringside
