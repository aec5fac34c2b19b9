#pragma once

#include <string>

namespace ringside {

// What `architectures` of a config.json says a model is.
enum class Architecture {
  known,    // a decoder whose keys are read as they are meant
  decoder,  // by its name a decoder, of a family that came later
  other     // an encoder, a classifier, a model of something else than text
};

Architecture classify_architecture(const std::string& name);

// " (did you mean 'LlamaForCausalLM'?)", or "" when no known name is near.
std::string nearest_architecture(const std::string& name);

}  // namespace ringside
