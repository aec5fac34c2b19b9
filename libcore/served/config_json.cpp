#include "served/config_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace ringside {

namespace {

using Json = nlohmann::ordered_json;  // of two keys that mean one value the later counts

constexpr int kMaxDepth = 64;

// What a count may be, ends included.
struct Limits {
  double least;
  double most;
};
constexpr Limits kCount{1, 1e6};
constexpr Limits kNone{0, 1e6};
constexpr Limits kVocabulary{1, 1e9};

// Nesting is limited before the library builds the tree, whose destructor would recurse as deep.
Json parse(const std::string& text, const std::string& origin) {
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > kMaxDepth) throw UsageError(fmt::format("{}: nested more than {} deep", origin, kMaxDepth));
      return true;
    });
  } catch (const Json::exception& problem) {
    throw UsageError(fmt::format("{}: no JSON: {}", origin, problem.what()));
  }
}

JsonScalar scalar(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::monostate{};
}

// Lists and objects without any scalar say nothing.
bool has_scalar(const Json& value) {
  if (!value.is_structured()) return true;
  for (const Json& item : value)
    if (has_scalar(item)) return true;
  return false;
}

// A quantisation's own keys, and the first members of its lists: "quantization_config.weight_block_size.0".
void add_quantization(const Json& quantization, std::map<std::string, ConfigValue>& values) {
  const std::string name = "quantization_config";
  values[name] = std::string("given");
  for (const auto& item : quantization.items()) {
    const std::string key = name + "." + item.key();
    if (item.value().is_array()) {
      values[key] = std::string("a list");
      for (std::size_t i = 0; i < std::min<std::size_t>(item.value().size(), 4); ++i)
        if (!item.value()[i].is_structured()) values[key + "." + std::to_string(i)] = scalar(item.value()[i]);
    } else if (!item.value().is_structured()) {
      values[key] = scalar(item.value());
    }
  }
}

void add_keys(const Json& level, std::map<std::string, ConfigValue>& values) {
  for (const auto& item : level.items()) {
    const Json& value = item.value();
    if (!value.is_structured())
      values[item.key()] = scalar(value);
    else if (item.key() != "architectures" && has_scalar(value))
      values[item.key()] = std::nullopt;
    if (item.key() == "quantization_config" && value.is_object()) add_quantization(value, values);
    if (item.key() != "eagle_config" || !value.is_object()) continue;
    for (const auto& own : value.items())
      if (!own.value().is_structured()) values[own.key()] = scalar(own.value());
  }
}

std::string first_architecture(const Json& level) {
  const auto found = level.find("architectures");
  if (found == level.end() || !found->is_array() || found->empty() || !found->front().is_string()) return "";
  return found->front();
}

// Bits of a quantised weight, as the quantisation's own description says.
std::optional<double> quantised_bits(const nlohmann::json& quantization) {
  const std::string text = quantization.dump();
  for (const char* name : {"num_bits", "bits", "w_bit"}) {
    const std::string key = fmt::format("\"{}\":", name);
    const std::size_t at = text.find(key);
    if (at == std::string::npos) continue;
    const double bits = std::atof(text.c_str() + at + key.size());
    if (bits >= 1 && bits <= 32) return bits;
  }
  if (text.find("fp4") != std::string::npos || text.find("\"load_in_4bit\":true") != std::string::npos)
    return 4;
  if (text.find("fp8") != std::string::npos || text.find("\"load_in_8bit\":true") != std::string::npos)
    return 8;
  return std::nullopt;
}

// The top level of a config, and the level that describes the part of the model which generates text.
class Levels {
 public:
  explicit Levels(const Json& root) : outer_(root) {
    const auto found = root.find("text_config");
    nested_ = found != root.end() && found->is_object();
    inner_ = nested_ ? &*found : &root;
  }

  const Json& outer() const { return outer_; }
  const Json& inner() const { return *inner_; }
  bool nested() const { return nested_; }

  ConfigCount count(std::initializer_list<const char*> names, const Limits& limits = kCount) const {
    ConfigCount count{.key = *names.begin(), .value = {}, .problem = ""};
    for (const char* name : names) {
      const auto found = inner_->find(name);
      if (found == inner_->end() || found->is_null()) continue;
      count.key = name;
      if (!found->is_number()) {
        count.problem = fmt::format("'{}' must be a number", name);
        return count;
      }
      const double value = found->get<double>();
      if (!(value >= limits.least && value <= limits.most) || value != std::floor(value))
        count.problem = fmt::format("'{}' must be a whole number from {} to {}, not {}", name, limits.least,
                                    limits.most, value);
      else
        count.value = value;
      return count;
    }
    return count;
  }

  std::string text(std::initializer_list<const char*> names) const {
    for (const Json* level : {inner_, &outer_}) {
      for (const char* name : names) {
        const auto found = level->find(name);
        if (found != level->end() && found->is_string()) return *found;
      }
    }
    return "";
  }

  const Json* object(const char* name) const {
    for (const Json* level : {inner_, &outer_}) {
      const auto found = level->find(name);
      if (found != level->end() && found->is_object()) return &*found;
    }
    return nullptr;
  }

  int list_size(const char* name) const {
    const auto found = inner_->find(name);
    return found != inner_->end() && found->is_array() ? static_cast<int>(found->size()) : 0;
  }

 private:
  const Json& outer_;
  const Json* inner_ = nullptr;
  bool nested_ = false;
};

ConfigKeys read_keys(const Levels& levels, const std::string& origin) {
  ConfigKeys keys;
  keys.name = origin;
  keys.architecture = first_architecture(levels.outer());
  keys.complete = true;
  add_keys(levels.outer(), keys.values);
  if (levels.nested()) {
    keys.values.erase("text_config");       // its keys stand for it
    add_keys(levels.inner(), keys.values);  // the server looks there first
  }
  return keys;
}

ConfigAttention read_attention(const Levels& levels) {
  return {.heads = levels.count({"num_attention_heads", "n_head"}),
          .kv_heads = levels.count({"num_key_value_heads"}),
          .head_size = levels.count({"head_dim"}),
          .q_rank = levels.count({"q_lora_rank"}, kNone),
          .kv_rank = levels.count({"kv_lora_rank"}),
          .nope_size = levels.count({"qk_nope_head_dim"}),
          .rope_size = levels.count({"qk_rope_head_dim"}),
          .value_size = levels.count({"v_head_dim"})};
}

ConfigExperts read_experts(const Levels& levels) {
  return {.routed = levels.count({"n_routed_experts", "num_experts", "num_local_experts"}, kNone),
          .per_token = levels.count({"num_experts_per_tok", "moe_topk", "top_k"}),
          .shared = levels.count({"n_shared_experts", "num_shared_experts"}, kNone),
          .intermediate = levels.count({"moe_intermediate_size"}),
          .first_layers = levels.count({"first_k_dense_replace"}, kNone),
          .layer_step = levels.count({"moe_layer_freq", "decoder_sparse_step"}),
          .dense_layers = levels.list_size("mlp_only_layers")};
}

}  // namespace

ConfigJson read_config_json(const std::string& text, const std::string& origin) {
  const Json root = parse(text, origin);
  if (!root.is_object()) throw UsageError(fmt::format("{}: a config.json is an object", origin));
  const Levels levels(root);
  ConfigJson config;
  config.origin = origin;
  config.keys = read_keys(levels, origin);
  config.architecture = config.keys.architecture;
  if (config.architecture.empty()) config.architecture = first_architecture(levels.inner());
  config.model_type = levels.text({"model_type"});
  const auto encoder_decoder = root.find("is_encoder_decoder");
  config.encoder_decoder =
      encoder_decoder != root.end() && encoder_decoder->is_boolean() && encoder_decoder->get<bool>();
  config.layers = levels.count({"num_hidden_layers", "n_layer"});
  config.hidden = levels.count({"hidden_size", "n_embd"});
  config.intermediate = levels.count({"intermediate_size", "n_inner"});
  config.vocabulary = levels.count({"vocab_size"}, kVocabulary);
  config.attention = read_attention(levels);
  config.experts = read_experts(levels);
  config.dtype = levels.text({"torch_dtype", "dtype"});
  if (const Json* quantization = levels.object("quantization_config")) {
    config.quantized = true;
    config.weight_bits = quantised_bits(*quantization);
  }
  return config;
}

}  // namespace ringside
