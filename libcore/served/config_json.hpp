#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/json_scalars.hpp"

namespace ringside {

// What a key of a model's configuration has; nothing: a list or an object.
using ConfigValue = std::optional<JsonScalar>;

// The keys of a model's configuration, as far as they are known.
struct ConfigKeys {
  std::string name;          // of the model, or the file that it was read from
  std::string architecture;  // the first of the top level's 'architectures'; empty: not named
  std::map<std::string, ConfigValue> values;  // those of text_config (and of eagle_config) on top
  bool complete = false;                      // the whole configuration is known: an absent key has no value
};

// Reads the text of a model's config.json (Hugging Face); `origin` names it. What the keys say of the model
// is read by served/model_facts.hpp. Throws UsageError for a text that is no JSON object.
ConfigKeys read_config_json(const std::string& text, const std::string& origin);

}  // namespace ringside
