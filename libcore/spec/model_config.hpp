#pragma once

#include <string>
#include <vector>

#include "spec/scenario.hpp"

namespace ringside {

struct ModelConfig {
  ModelShape model;
  std::vector<std::string> doubts;  // what was read without being known for sure, one sentence each
};

// The model part of a Hugging Face config.json (a nested text_config wins). `origin` names it in messages. A
// decoder of an unknown family is read by its keys, with a doubt. Throws UsageError that names the key for a
// value that can't be or is missing, and the architecture where that is no decoder or lacks what one has.
ModelConfig read_model_config(const std::string& text, const std::string& origin);

}  // namespace ringside
