#include "spec/model_config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace ringside {
namespace {

using nlohmann::json;

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
    const auto type = inner_->find("model_type");
    return type != inner_->end() && type->is_string() ? type->get<std::string>() : "model";
  }

  std::optional<double> find(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      const auto found = inner_->find(name);
      if (found == inner_->end() || found->is_null()) continue;
      if (!found->is_number()) throw UsageError(fmt::format("{}: '{}' must be a number", origin_, name));
      const double value = found->get<double>();
      if (!(value >= 0 && value <= 1e12)) {
        throw UsageError(
            fmt::format("{}: '{}' must be a number from 0 to 1e12, not {}", origin_, name, value));
      }
      return value;
    }
    return std::nullopt;
  }

  double get(std::initializer_list<const char*> names) const {
    const auto value = find(names);
    if (value && *value >= 1) return *value;
    throw UsageError(fmt::format("{}: unknown architecture '{}': it has no '{}' of 1 or more", origin_,
                                 architecture(), *names.begin()));
  }

  double get_or(std::initializer_list<const char*> names, double otherwise) const {
    return find(names).value_or(otherwise);
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

  std::size_t list_size(const char* name) const {
    const auto found = inner_->find(name);
    return found != inner_->end() && found->is_array() ? found->size() : 0;
  }

 private:
  const json* outer_;
  const json* inner_;
  const std::string& origin_;
};

struct Attention {
  double parameters;  // of one layer
  double kv_numbers;  // of one token in one layer
};

// Multi-head latent attention: queries and keys/values pass through narrow matrices.
Attention latent_attention(const Config& config, double hidden, double heads) {
  const double nope = config.get({"qk_nope_head_dim"});
  const double rope = config.get({"qk_rope_head_dim"});
  const double value = config.get({"v_head_dim"});
  const double kv_rank = config.get({"kv_lora_rank"});
  const double q_rank = config.get_or({"q_lora_rank"}, 0);
  const double query =
      q_rank > 0 ? hidden * q_rank + q_rank * heads * (nope + rope) : hidden * heads * (nope + rope);
  const double key_value = hidden * (kv_rank + rope) + kv_rank * heads * (nope + value);
  return {query + key_value + heads * value * hidden, kv_rank + rope};
}

Attention attention(const Config& config, double hidden) {
  const double heads = config.get({"num_attention_heads"});
  if (config.find({"kv_lora_rank"})) return latent_attention(config, hidden, heads);
  const double kv_heads = config.get_or({"num_key_value_heads"}, heads);
  const double head = config.get_or({"head_dim"}, hidden / heads);
  return {hidden * head * (2 * heads + 2 * kv_heads), 2 * kv_heads * head};
}

// Layers with experts: all but the first dense ones, every n-th, less those that are listed as dense.
int count_moe_layers(const Config& config, int layers) {
  const auto first = static_cast<int>(config.get_or({"first_k_dense_replace"}, 0));
  const int step = std::max(1, static_cast<int>(config.get_or({"moe_layer_freq", "decoder_sparse_step"}, 1)));
  const int listed = static_cast<int>(config.list_size("mlp_only_layers"));
  return std::max(0, (layers - first) / step - listed);
}

// Bits of a quantised weight, as the quantisation's own description says.
double quantised_bits(const json& quantization) {
  const std::string text = quantization.dump();
  for (const char* name : {"num_bits", "bits", "w_bit"}) {
    const std::string key = fmt::format("\"{}\":", name);
    const std::size_t at = text.find(key);
    if (at == std::string::npos) continue;
    const double bits = std::atof(text.c_str() + at + key.size());
    if (bits >= 1 && bits <= 32) return bits;
  }
  if (text.find("fp4") != std::string::npos) return 4;
  if (text.find("fp8") != std::string::npos) return 8;
  return 16;
}

}  // namespace

ModelShape read_model_config(const std::string& text, const std::string& origin) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::exception& problem) {
    throw UsageError(fmt::format("{}: no JSON: {}", origin, problem.what()));
  }
  if (!root.is_object()) throw UsageError(fmt::format("{}: a config.json is an object", origin));
  const Config config(root, origin);
  ModelShape model;
  model.name = config.architecture();
  model.origin = Origin::reported;
  model.source = origin;
  model.layers = static_cast<int>(config.get({"num_hidden_layers", "n_layer"}));
  model.hidden = static_cast<int>(config.get({"hidden_size", "n_embd"}));
  const auto limit = [&](int value, const char* name) {
    if (value > 1000000) throw UsageError(fmt::format("{}: '{}' is beyond any model", origin, name));
  };
  limit(model.layers, "num_hidden_layers");
  limit(model.hidden, "hidden_size");
  const Attention heads = attention(config, model.hidden);
  model.attention_parameters = heads.parameters;
  const std::string dtype = config.text({"torch_dtype", "dtype"});
  model.dtype = dtype == "float16" ? DType::fp16 : dtype == "float32" ? DType::fp32 : DType::bf16;
  model.kv_bytes = heads.kv_numbers * model.layers * static_cast<double>(element_size(model.dtype));
  model.dense_intermediate =
      static_cast<int>(config.get_or({"intermediate_size", "n_inner"}, 4.0 * model.hidden));
  model.vocabulary = config.get_or({"vocab_size"}, 0);
  model.experts =
      static_cast<int>(config.get_or({"n_routed_experts", "num_experts", "num_local_experts"}, 0));
  if (model.experts > 0) {
    model.moe_layers = count_moe_layers(config, model.layers);
    model.top_k = static_cast<int>(config.get({"num_experts_per_tok", "moe_topk", "top_k"}));
    model.shared_experts = static_cast<int>(config.get_or({"n_shared_experts", "num_shared_experts"}, 0));
    model.expert_intermediate =
        static_cast<int>(config.get_or({"moe_intermediate_size"}, model.dense_intermediate));
    if (model.top_k > model.experts)
      throw UsageError(
          fmt::format("{}: {} of {} experts can't be chosen", origin, model.top_k, model.experts));
  }
  model.other_bits = 8.0 * static_cast<double>(element_size(model.dtype));
  model.expert_bits = model.other_bits;
  if (const json* quantization = config.object("quantization_config")) {
    model.expert_bits = quantised_bits(*quantization);
    // fp8 checkpoints quantise every matrix; the integer ones in use leave attention as it is.
    if (model.expert_bits == 8 || model.experts == 0) model.other_bits = model.expert_bits;
  }
  model.allreduces = 2 * model.layers;
  return model;
}

}  // namespace ringside
