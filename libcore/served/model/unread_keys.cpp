#include "served/model/unread_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "base/text.hpp"

namespace ringside {
namespace {

// Keys that change neither memory nor the work of a decode step, though their names look like it.
const std::set<std::string, std::less<>>& harmless_keys() {
  static const std::set<std::string, std::less<>> keys = {
      // what the model is, and how it is sampled or trained
      "architectures", "model_type", "auto_map", "_name_or_path", "transformers_version", "torch_dtype",
      "dtype", "max_position_embeddings", "n_positions", "n_ctx", "seq_length", "model_max_length",
      "max_sequence_length", "initial_context_length", "original_max_position_embeddings",
      "chunk_size_feed_forward", "vocab_size_per_layer_input", "no_repeat_ngram_size",
      "encoder_no_repeat_ngram_size", "pretraining_tp", "ep_size", "use_cache", "top_k", "top_p",
      "temperature", "min_length", "max_length", "max_new_tokens", "num_beams", "num_beam_groups",
      "num_return_sequences", "num_reward_heads", "output_attentions", "output_hidden_states",
      "output_router_logits", "num_logits_to_keep", "cross_attention_hidden_size", "is_decoder",
      "is_encoder_decoder", "add_cross_attention", "gradient_checkpointing", "unsloth_version",
      // how attention is computed, not what it keeps
      "attention_dropout", "attn_implementation", "_attn_implementation", "use_flash_attn",
      "use_flash_attention", "_flash_attn_2_enabled", "attn_pdrop", "embd_pdrop", "resid_pdrop",
      "attention_value_scale", "attention_multiplier", "attn_scale", "attn_temperature_tuning", "floor_scale",
      "query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping", "logits_scaling",
      "logit_scale", "residual_multiplier", "embedding_multiplier", "scale_attn_weights",
      "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "use_bidirectional_attention",
      "attn_softmax_bf16", "attention_softmax_in_fp32", "softmax_in_fp32",
      "apply_residual_connection_post_layernorm", "add_swa_attention_sink_bias",
      "add_full_attention_sink_bias", "use_qk_norm", "qk_norm", "qk_norm_type", "qk_layernorm",
      "use_gemma_norm", "use_sliding_window_attention", "use_sinks", "use_dynamic_ntk", "use_logn_attn",
      "kv_channels_scale", "no_bias", "use_cache_quantization", "use_cache_kernel", "mla_scale_q_lora",
      "mla_scale_kv_lora", "parallel_attn", "alibi", "use_parallel_residual",
      // how experts are chosen
      "n_group", "topk_group", "topk_method", "norm_topk_prob", "scoring_func", "seq_aux",
      "routed_scaling_factor", "moe_router_dtype", "moe_router_scaling_factor", "moe_router_activation_func",
      "moe_renormalize", "use_grouped_topk", "num_expert_group", "use_routing_bias", "use_moe_router_bias",
      "router_jitter_noise", "input_jitter_noise", "moe_shared_expert_overlap", "norm_expert_weight",
      "moe_router_topk_scaling_factor", "moe_router_enable_expert_bias", "router_bias", "moe_use_aux_free",
      "num_hash_layers", "hc_sinkhorn_iters",
      // rotation of positions
      "partial_rotary_factor", "rotary_dim", "rotary_pct", "rotary_emb_base", "use_mrope",
      "mrope_interleaved", "indexer_rope_interleave", "no_rope_layers", "no_rope_layer_interval", "yarn",
      "position_embedding_type",
      // state space layers: how they are computed
      "mamba_hidden_act", "mamba_proj_bias", "use_conv_bias", "use_mamba_kernels", "chunk_size",
      "mamba_chunk_size", "time_step_rank", "time_step_floor", "time_step_limit", "time_step_max",
      "time_step_min", "use_bias", "rescale_prenorm_residual", "residual_in_fp32", "mamba_conv_bias",
      "latent_moe_use_norm",
      // sparse attention: how blocks or tokens are chosen
      "sparse_local_block", "sparse_init_block", "sparse_score_type", "output_gate_type", "gate_lower_bound",
      "index_share_for_mtp_iteration", "index_skip_topk_offset", "index_topk_freq", "index_topk_pattern",
      // images and sound: their tokens, not their weights
      "image_grid_pinpoints", "image_seq_length", "image_token_compression_method", "projector_hidden_act",
      "multimodal_projector_bias", "vision_feature_layer", "vision_feature_select_strategy",
      "mm_tokens_per_image", "vision_soft_tokens_per_image", "use_unified_vision_chunk", "vision_config",
      "audio_config", "visual", "speech_config", "vision_tower_config", "visual_config", "process_image_mode",
      "spatial_merge_size", "language_model_only", "ignore_index", "repetition_penalty",
      "projector_hidden_size", "img_token_compression_config",
      // read elsewhere
      "quantization_config", "quantization", "compression_config", "eagle_config",
      "mtp_use_dedicated_embeddings"};
  return keys;
}

constexpr std::array kHarmlessEndings = {
    "_token_id",  "_token_ids",  "_token_index", "_eps",     "_epsilon", "_dropout",
    "_loss_coef", "_loss_alpha", "_placeholder", "_std",     "_act",     "_range",
    "_limit",     "_alpha",      "_beta",        "_version", "_theta",   "_coeff"};
constexpr std::array kHarmlessBeginnings = {"rope",   "initializer", "rotary",    "mrope", "id2",
                                            "label2", "task_",       "tokenizer", "bos_",  "eos_",
                                            "pad_",   "swiglu_",     "tf_",       "torch"};

// Parts of names that stand for sizes, counts and kinds of layers; short ones as whole words.
constexpr std::array kParts = {"layer",    "head",      "expert", "window",       "latent", "sparse",
                               "compress", "hybrid",    "mamba",  "moe",          "conv",   "recurrent",
                               "interval", "attention", "attn",   "intermediate", "lora",   "hidden",
                               "pattern",  "memory",    "mixer",  "delta",        "router", "embedding"};
const std::set<std::string, std::less<>>& words() {
  static const std::set<std::string, std::less<>> list = {
      "dim",    "dims",  "size",   "sizes", "rank",      "ranks",    "kv",     "kvs",     "block",
      "blocks", "state", "states", "n",     "num",       "tie",      "tied",   "bits",    "ssm",
      "mtp",    "nextn", "inter",  "share", "shared",    "group",    "groups", "gate",    "depth",
      "width",  "mlp",   "ffn",    "ff",    "embed",     "freq",     "period", "offset",  "topk",
      "gqa",    "mqa",   "mla",    "lru",   "kernel",    "channels", "heads",  "cache",   "chunk",
      "stride", "local", "global", "draft", "quant",     "count",    "index",  "indexer", "slots",
      "tokens", "ratio", "ratios", "mult",  "multiplier"};
  return list;
}

bool is_harmless(std::string_view key) {
  if (harmless_keys().contains(key)) return true;
  const auto ends = [&](const char* ending) { return key.ends_with(ending); };
  const auto begins = [&](const char* beginning) { return key.starts_with(beginning); };
  return std::ranges::any_of(kHarmlessEndings, ends) || std::ranges::any_of(kHarmlessBeginnings, begins);
}

bool is_structural(std::string key) {
  std::ranges::transform(key, key.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::any_of(kParts, [&](const char* part) { return key.find(part) != std::string::npos; }))
    return true;
  return std::ranges::any_of(split(key, '_'), [](const std::string& word) { return words().contains(word); });
}

// Off, nothing, or none of it.
bool is_off(const ConfigObject& value) {
  if (value.is_null()) return true;
  if (value.is_boolean()) return !value.boolean();
  if (value.is_number()) return value.number() == 0;
  if (value.is_string()) return value.text().empty();
  return value.list().empty() && value.members().empty();
}

std::string shown(const ConfigObject& value) {
  if (value.is_structured())
    return value.is_list() ? fmt::format("a list of {}", value.list().size()) : "an object";
  const std::string text = value.is_string()    ? fmt::format("\"{}\"", value.text())
                           : value.is_boolean() ? fmt::format("{}", value.boolean())
                                                : fmt::format("{}", value.number());
  constexpr std::size_t kMost = 40;
  return text.size() > kMost ? first_letters(text, kMost) + "..." : text;
}

void doubt_level(const ConfigLevel& level, const std::set<std::string>& used) {
  for (const auto& item : level.object().members()) {
    const std::string path = level.path() + item.name;
    const bool read = used.contains(path) || std::ranges::any_of(used, [&](const std::string& key) {
                        return key.starts_with(path + ".");
                      });
    if (read || is_off(item.value) || is_harmless(item.name) || !is_structural(item.name)) continue;
    level.notes().doubt(
        fmt::format("'{}' ({}) isn't known; it may change memory or work", path, shown(item.value)));
  }
}

}  // namespace

void doubt_unread_keys(const ModelText& model) {
  std::set<std::string> used(model.notes().used.begin(), model.notes().used.end());
  used.insert(model.notes().idle.begin(), model.notes().idle.end());
  doubt_level(model.inner, used);
  for (const char* name : {"linear_attn_config", "sparse_attention_config"}) {
    if (const auto level = model.inner.level(name)) doubt_level(*level, used);
  }
  if (&model.inner.object() == &model.outer.object()) return;
  for (const auto& item : model.outer.object().members()) {
    if (model.inner.object().find(item.name) != nullptr || model.inner.path() == item.name + ".") continue;
    const bool read = used.contains(item.name);
    if (read || is_off(item.value) || is_harmless(item.name) || !is_structural(item.name)) continue;
    if (item.value.is_object() && model.inner.path().starts_with(item.name + ".")) continue;
    model.notes().doubt(fmt::format("'{}' ({}) beside '{}' isn't known; it may change memory or work",
                                    item.name, shown(item.value),
                                    model.inner.path().substr(0, model.inner.path().size() - 1)));
  }
}

}  // namespace ringside
