#include "spec/model_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "spec/decoder_families.hpp"

namespace ringside {
namespace {

using nlohmann::json;

// What a number of a config must lie in, ends included; all of them are whole.
constexpr Range kCount{1, 1e6};
constexpr Range kNone{0, 1e6};
constexpr Range kVocabulary{1, 1e9};
constexpr double kMostParameters = 1e13;  // of one layer's attention; bytes of a token's KV

// The keys of a config, looked up by all names that one thing has in different families.
class Config {
 public:
  Config(const json& root, const std::string& origin) : origin_(origin) {
    outer_ = &root;
    inner_ = root.contains("text_config") && root["text_config"].is_object() ? &root["text_config"] : &root;
  }

  std::string architecture() const {
    for (const json* level : {outer_, inner_}) {
      const auto found = level->find("architectures");
      if (found != level->end() && found->is_array() && !found->empty() && found->front().is_string())
        return found->front();
    }
    return "";
  }

  std::optional<double> find(std::initializer_list<const char*> names, const Range& range = kCount) const {
    for (const char* name : names) {
      const auto found = inner_->find(name);
      if (found == inner_->end() || found->is_null()) continue;
      if (!found->is_number()) throw error(fmt::format("'{}' must be a number", name));
      const double value = found->get<double>();
      if (!(value >= range.min && value <= range.max) || value != std::floor(value)) {
        throw error(fmt::format("'{}' must be a whole number from {} to {}, not {}", name, range.min,
                                range.max, value));
      }
      return value;
    }
    return std::nullopt;
  }

  double get(std::initializer_list<const char*> names, const Range& range = kCount) const {
    if (const auto value = find(names, range)) return *value;
    const std::string architecture = this->architecture();
    if (architecture.empty()) throw error(fmt::format("'{}' is missing", *names.begin()));
    if (classify_architecture(architecture) == Architecture::known)
      throw error(fmt::format("'{}' is missing, which a {} has", *names.begin(), architecture));
    throw error(fmt::format("unknown architecture '{}'{}: it has no '{}'", architecture,
                            nearest_architecture(architecture), *names.begin()));
  }

  double get_or(std::initializer_list<const char*> names, double otherwise,
                const Range& range = kCount) const {
    return find(names, range).value_or(otherwise);
  }

  int count(std::initializer_list<const char*> names) const { return static_cast<int>(get(names)); }
  int count_or(std::initializer_list<const char*> names, double otherwise, const Range& range = kNone) const {
    return static_cast<int>(get_or(names, otherwise, range));
  }

  const json* object(const char* name) const {
    for (const json* level : {inner_, outer_}) {
      const auto found = level->find(name);
      if (found != level->end() && found->is_object()) return &*found;
    }
    return nullptr;
  }

  std::string text(std::initializer_list<const char*> names) const {
    for (const json* level : {inner_, outer_}) {
      for (const char* name : names) {
        const auto found = level->find(name);
        if (found != level->end() && found->is_string()) return *found;
      }
    }
    return "";
  }

  bool is_true(const char* name) const {
    const auto found = outer_->find(name);
    return found != outer_->end() && found->is_boolean() && found->get<bool>();
  }

  std::size_t list_size(const char* name) const {
    const auto found = inner_->find(name);
    return found != inner_->end() && found->is_array() ? found->size() : 0;
  }

  UsageError error(const std::string& what) const { return UsageError(fmt::format("{}: {}", origin_, what)); }

 private:
  const json* outer_;
  const json* inner_;
  const std::string& origin_;
};

struct Attention {
  double parameters;  // of one layer
  double kv_numbers;  // of one token in one layer
  int kv_heads;       // 0: latent, one for all
};

// Multi-head latent attention: queries and keys/values pass through narrow matrices.
Attention latent_attention(const Config& config, double hidden, double heads) {
  const double nope = config.get({"qk_nope_head_dim"});
  const double rope = config.get({"qk_rope_head_dim"});
  const double value = config.get({"v_head_dim"});
  const double kv_rank = config.get({"kv_lora_rank"});
  const double q_rank = config.get_or({"q_lora_rank"}, 0, kNone);
  const double query =
      q_rank > 0 ? hidden * q_rank + q_rank * heads * (nope + rope) : hidden * heads * (nope + rope);
  const double key_value = hidden * (kv_rank + rope) + kv_rank * heads * (nope + value);
  return {query + key_value + heads * value * hidden, kv_rank + rope, 0};
}

Attention attention(const Config& config, double hidden) {
  const double heads = config.get({"num_attention_heads", "n_head"});
  if (config.find({"kv_lora_rank"})) return latent_attention(config, hidden, heads);
  const double kv_heads = config.get_or({"num_key_value_heads"}, heads);
  const double head = config.get_or({"head_dim"}, hidden / heads);
  return {hidden * head * (2 * heads + 2 * kv_heads), 2 * kv_heads * head, static_cast<int>(kv_heads)};
}

// Layers with experts: all but the first dense ones, every n-th, less those that are listed as dense.
int count_moe_layers(const Config& config, int layers) {
  const int first = config.count_or({"first_k_dense_replace"}, 0);
  const int step = config.count_or({"moe_layer_freq", "decoder_sparse_step"}, 1, kCount);
  const int listed = static_cast<int>(config.list_size("mlp_only_layers"));
  return std::max(0, (layers - first) / step - listed);
}

void read_experts(const Config& config, ModelShape& model) {
  model.experts = config.count_or({"n_routed_experts", "num_experts", "num_local_experts"}, 0);
  if (model.experts == 0) return;
  model.moe_layers = count_moe_layers(config, model.layers);
  model.top_k = config.count({"num_experts_per_tok", "moe_topk", "top_k"});
  model.shared_experts = config.count_or({"n_shared_experts", "num_shared_experts"}, 0);
  model.expert_intermediate = config.count_or({"moe_intermediate_size"}, model.dense_intermediate, kCount);
  if (model.top_k > model.experts)
    throw config.error(fmt::format("{} of {} experts can't be chosen", model.top_k, model.experts));
}

// Of activations; what is sent.
DType read_dtype(const Config& config, std::vector<std::string>& doubts) {
  const std::string name = config.text({"torch_dtype", "dtype"});
  if (name == "float16") return DType::fp16;
  if (name == "float32") return DType::fp32;
  if (!name.empty() && name != "bfloat16") {
    doubts.push_back(fmt::format(
        "'torch_dtype' of '{}' is not known; activations are taken as bf16 (--set model.dtype=...)", name));
  }
  return DType::bf16;
}

// Bits of a quantised weight, as the quantisation's own description says.
std::optional<double> quantised_bits(const json& quantization) {
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

void read_quantization(const Config& config, ModelShape& model, std::vector<std::string>& doubts) {
  const json* quantization = config.object("quantization_config");
  if (quantization == nullptr) return;
  const auto bits = quantised_bits(*quantization);
  if (!bits) {
    doubts.push_back(
        fmt::format("'quantization_config' does not say how many bits a weight has; they are taken as {:g} "
                    "(--set model.expert_bits=... and model.other_bits=...)",
                    model.expert_bits));
    return;
  }
  model.expert_bits = *bits;
  // fp8 checkpoints quantise every matrix; the integer ones in use leave attention as it is.
  if (*bits == 8 || model.experts == 0) model.other_bits = *bits;
}

// A decoder of a family that came later is read by its keys, if it has all that matter.
void check_architecture(const Config& config, std::vector<std::string>& doubts) {
  const std::string name = config.architecture();
  const Architecture kind = name.empty() ? Architecture::decoder : classify_architecture(name);
  if (kind == Architecture::known) return;
  const std::string what = name.empty()
                               ? "a model without 'architectures'"
                               : fmt::format("unknown architecture '{}'{}", name, nearest_architecture(name));
  if (kind == Architecture::other || config.is_true("is_encoder_decoder"))
    throw config.error(what + ": no decoder that generates text");
  for (const char* key : {"num_hidden_layers", "hidden_size", "num_attention_heads"}) config.get({key});
  config.get({"vocab_size"}, kVocabulary);
  config.get({"intermediate_size", "moe_intermediate_size"});
  doubts.push_back(
      fmt::format("{}: read as a decoder with two allreduces in each layer, by the keys that it shares with "
                  "known ones (num_hidden_layers, hidden_size, num_attention_heads, intermediate_size, "
                  "vocab_size)",
                  what));
}

std::string model_name(const Config& config) {
  const std::string architecture = config.architecture();
  if (!architecture.empty()) return architecture;
  const std::string type = config.text({"model_type"});
  return type.empty() ? "model" : type;
}

}  // namespace

ModelConfig read_model_config(const std::string& text, const std::string& origin) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::exception& problem) {
    throw UsageError(fmt::format("{}: no JSON: {}", origin, problem.what()));
  }
  if (!root.is_object()) throw UsageError(fmt::format("{}: a config.json is an object", origin));
  const Config config(root, origin);
  ModelConfig result;
  check_architecture(config, result.doubts);
  ModelShape& model = result.model;
  model.name = model_name(config);
  model.origin = Origin::reported;
  model.source = origin;
  model.layers = config.count({"num_hidden_layers", "n_layer"});
  model.hidden = config.count({"hidden_size", "n_embd"});
  const Attention heads = attention(config, model.hidden);
  model.attention_parameters = heads.parameters;
  model.kv_heads = heads.kv_heads;
  model.dtype = read_dtype(config, result.doubts);
  model.kv_bytes = heads.kv_numbers * model.layers * static_cast<double>(element_size(model.dtype));
  if (model.attention_parameters > kMostParameters || model.kv_bytes > kMostParameters)
    throw config.error(
        "the attention of 'num_attention_heads', 'head_dim' and 'hidden_size' is beyond any model");
  model.dense_intermediate =
      config.count_or({"intermediate_size", "n_inner"}, std::min(4.0 * model.hidden, kCount.max), kCount);
  model.vocabulary = config.get_or({"vocab_size"}, 0, kVocabulary);
  read_experts(config, model);
  model.other_bits = 8.0 * static_cast<double>(element_size(model.dtype));
  model.expert_bits = model.other_bits;
  read_quantization(config, model, result.doubts);
  model.allreduces = 2 * model.layers;
  return result;
}

}  // namespace ringside
