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

// A count of a configuration, under whichever of its names the model's family uses. A nested text_config
// holds all counts.
struct ConfigCount {
  std::string key;              // that it was found under; its commonest name where it is absent
  std::optional<double> value;  // a whole number; nothing where it is absent, null or can't be
  std::string problem;          // why it can't be: "'hidden_size' must be a number"; empty: nothing is wrong

  bool found() const { return value.has_value() || !problem.empty(); }
};

struct ConfigAttention {
  ConfigCount heads;
  ConfigCount kv_heads;
  ConfigCount head_size;
  // Of multi-head latent attention, which has kv_rank: queries, keys and values pass through narrow matrices.
  ConfigCount q_rank;
  ConfigCount kv_rank;
  ConfigCount nope_size;
  ConfigCount rope_size;
  ConfigCount value_size;
};

struct ConfigExperts {
  ConfigCount routed;
  ConfigCount per_token;
  ConfigCount shared;
  ConfigCount intermediate;
  ConfigCount first_layers;  // without experts
  ConfigCount layer_step;    // every so many layers have them
  int dense_layers = 0;      // that are listed as having none
};

// A model's config.json (Hugging Face), read once.
struct ConfigJson {
  std::string origin;  // names it in messages
  ConfigKeys keys;
  std::string architecture;  // the first of 'architectures', else that of text_config; empty: not named
  std::string model_type;
  bool encoder_decoder = false;
  ConfigCount layers;
  ConfigCount hidden;
  ConfigCount intermediate;  // of layers without experts
  ConfigCount vocabulary;
  ConfigAttention attention;
  ConfigExperts experts;
  std::string dtype;                  // of activations; empty: not said
  bool quantized = false;             // there is a quantization_config
  std::optional<double> weight_bits;  // that it says a weight has
};

// Reads the text of a config.json; `origin` names it. A count that can't be is one with a problem, never an
// error. Throws UsageError for a text that is no JSON object.
ConfigJson read_config_json(const std::string& text, const std::string& origin);

}  // namespace ringside
