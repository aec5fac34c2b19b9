#pragma once

#include <string>
#include <vector>

#include "trace/core/pipeline.hpp"

namespace ringside {

// What a model class does with the expert-location metadata.
struct ModelVerdict {
  const ModelClass* model = nullptr;
  std::vector<std::string> asserts_with;  // all-to-all backends with which a launch of it ends in the assert
  std::vector<std::string> perhaps_with;  // where the conditions are not all known
  bool stand_in = false;  // this version gives a class without the hook something in its place
  bool judged = false;    // with the backends that this version has
};

// One for every class of the pipeline, by name.
std::vector<ModelVerdict> judge_models(const Pipeline& pipeline);

// "no hook: will assert with --moe-a2a-backend deepep, flashinfer".
std::string to_text(const ModelVerdict& verdict);

}  // namespace ringside
