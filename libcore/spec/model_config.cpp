#include "spec/model_config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "served/config_json.hpp"
#include "spec/decoder_families.hpp"

namespace ringside {
namespace {

constexpr double kMostParameters = 1e13;  // of one layer's attention; bytes of a token's KV
constexpr double kMostIntermediate = 1e6;

UsageError error(const ConfigJson& config, const std::string& what) {
  return UsageError(fmt::format("{}: {}", config.origin, what));
}

UsageError missing(const ConfigJson& config, const std::string& key) {
  const std::string& architecture = config.architecture;
  if (architecture.empty()) return error(config, fmt::format("'{}' is missing", key));
  if (classify_architecture(architecture) == Architecture::known)
    return error(config, fmt::format("'{}' is missing, which a {} has", key, architecture));
  return error(config, fmt::format("unknown architecture '{}'{}: it has no '{}'", architecture,
                                   nearest_architecture(architecture), key));
}

double get_or(const ConfigJson& config, const ConfigCount& count, double otherwise) {
  if (!count.problem.empty()) throw error(config, count.problem);
  return count.value.value_or(otherwise);
}

double get(const ConfigJson& config, const ConfigCount& count) {
  if (!count.found()) throw missing(config, count.key);
  return get_or(config, count, 0);
}

int whole(double count) {
  return static_cast<int>(count);
}

struct Attention {
  double parameters;  // of one layer
  double kv_numbers;  // of one token in one layer
  int kv_heads;       // 0: latent, one for all
};

// Multi-head latent attention: queries and keys/values pass through narrow matrices.
Attention latent_attention(const ConfigJson& config, double hidden, double heads) {
  const ConfigAttention& attention = config.attention;
  const double nope = get(config, attention.nope_size);
  const double rope = get(config, attention.rope_size);
  const double value = get(config, attention.value_size);
  const double kv_rank = get(config, attention.kv_rank);
  const double q_rank = get_or(config, attention.q_rank, 0);
  const double query =
      q_rank > 0 ? hidden * q_rank + q_rank * heads * (nope + rope) : hidden * heads * (nope + rope);
  const double key_value = hidden * (kv_rank + rope) + kv_rank * heads * (nope + value);
  return {query + key_value + heads * value * hidden, kv_rank + rope, 0};
}

Attention read_attention(const ConfigJson& config, double hidden) {
  const ConfigAttention& attention = config.attention;
  const double heads = get(config, attention.heads);
  if (get_or(config, attention.kv_rank, 0) > 0) return latent_attention(config, hidden, heads);
  const double kv_heads = get_or(config, attention.kv_heads, heads);
  const double head = get_or(config, attention.head_size, hidden / heads);
  return {hidden * head * (2 * heads + 2 * kv_heads), 2 * kv_heads * head, whole(kv_heads)};
}

// Layers with experts: all but the first dense ones, every n-th, less those that are listed as dense.
int count_moe_layers(const ConfigJson& config, int layers) {
  const int first = whole(get_or(config, config.experts.first_layers, 0));
  const int step = whole(get_or(config, config.experts.layer_step, 1));
  return std::max(0, (layers - first) / step - config.experts.dense_layers);
}

void read_experts(const ConfigJson& config, ModelShape& model) {
  const ConfigExperts& experts = config.experts;
  model.experts = whole(get_or(config, experts.routed, 0));
  if (model.experts == 0) return;
  model.moe_layers = count_moe_layers(config, model.layers);
  model.top_k = whole(get(config, experts.per_token));
  model.shared_experts = whole(get_or(config, experts.shared, 0));
  model.expert_intermediate = whole(get_or(config, experts.intermediate, model.dense_intermediate));
  if (model.top_k > model.experts)
    throw error(config, fmt::format("{} of {} experts can't be chosen", model.top_k, model.experts));
}

// Of activations; what is sent.
DType read_dtype(const ConfigJson& config, std::vector<std::string>& doubts) {
  const std::string& name = config.dtype;
  if (name == "float16") return DType::fp16;
  if (name == "float32") return DType::fp32;
  if (!name.empty() && name != "bfloat16") {
    doubts.push_back(fmt::format(
        "'torch_dtype' of '{}' is not known; activations are taken as bf16 (--set model.dtype=...)", name));
  }
  return DType::bf16;
}

void read_quantization(const ConfigJson& config, ModelShape& model, std::vector<std::string>& doubts) {
  if (!config.quantized) return;
  if (!config.weight_bits) {
    doubts.push_back(
        fmt::format("'quantization_config' does not say how many bits a weight has; they are taken as {:g} "
                    "(--set model.expert_bits=... and model.other_bits=...)",
                    model.expert_bits));
    return;
  }
  model.expert_bits = *config.weight_bits;
  // fp8 checkpoints quantise every matrix; the integer ones in use leave attention as it is.
  if (*config.weight_bits == 8 || model.experts == 0) model.other_bits = *config.weight_bits;
}

// Later families have the names that the known ones share, not those that one of them has.
void demand(const ConfigJson& config, const ConfigCount& count, const char* name) {
  if (count.key != name) throw missing(config, name);
  get(config, count);
}

// A decoder of a family that came later is read by its keys, if it has all that matter.
void check_architecture(const ConfigJson& config, std::vector<std::string>& doubts) {
  const std::string& name = config.architecture;
  const Architecture kind = name.empty() ? Architecture::decoder : classify_architecture(name);
  if (kind == Architecture::known) return;
  const std::string what = name.empty()
                               ? "a model without 'architectures'"
                               : fmt::format("unknown architecture '{}'{}", name, nearest_architecture(name));
  if (kind == Architecture::other || config.encoder_decoder)
    throw error(config, what + ": no decoder that generates text");
  demand(config, config.layers, "num_hidden_layers");
  demand(config, config.hidden, "hidden_size");
  demand(config, config.attention.heads, "num_attention_heads");
  demand(config, config.vocabulary, "vocab_size");
  const bool dense = config.intermediate.found() && config.intermediate.key == "intermediate_size";
  if (!dense && config.experts.intermediate.found())
    get(config, config.experts.intermediate);
  else
    demand(config, config.intermediate, "intermediate_size");
  doubts.push_back(
      fmt::format("{}: read as a decoder with two allreduces in each layer, by the keys that it shares with "
                  "known ones (num_hidden_layers, hidden_size, num_attention_heads, intermediate_size, "
                  "vocab_size)",
                  what));
}

std::string model_name(const ConfigJson& config) {
  if (!config.architecture.empty()) return config.architecture;
  return config.model_type.empty() ? "model" : config.model_type;
}

}  // namespace

ModelConfig read_model_config(const std::string& text, const std::string& origin) {
  const ConfigJson config = read_config_json(text, origin);
  ModelConfig result;
  check_architecture(config, result.doubts);
  ModelShape& model = result.model;
  model.name = model_name(config);
  model.origin = Origin::reported;
  model.source = origin;
  model.layers = whole(get(config, config.layers));
  model.hidden = whole(get(config, config.hidden));
  const Attention attention = read_attention(config, model.hidden);
  model.attention_parameters = attention.parameters;
  model.kv_heads = attention.kv_heads;
  model.dtype = read_dtype(config, result.doubts);
  model.kv_bytes = attention.kv_numbers * model.layers * static_cast<double>(element_size(model.dtype));
  if (model.attention_parameters > kMostParameters || model.kv_bytes > kMostParameters)
    throw error(config,
                "the attention of 'num_attention_heads', 'head_dim' and 'hidden_size' is beyond any model");
  model.dense_intermediate =
      whole(get_or(config, config.intermediate, std::min(4.0 * model.hidden, kMostIntermediate)));
  model.vocabulary = get_or(config, config.vocabulary, 0);
  read_experts(config, model);
  model.other_bits = 8.0 * static_cast<double>(element_size(model.dtype));
  model.expert_bits = model.other_bits;
  read_quantization(config, model, result.doubts);
  model.allreduces = 2 * model.layers;
  return result;
}

}  // namespace ringside
