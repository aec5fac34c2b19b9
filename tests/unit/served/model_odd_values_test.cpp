#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "base/errors.hpp"
#include "served/model_facts.hpp"
#include "support/catch.hpp"

using namespace ringside;
using Json = nlohmann::ordered_json;

namespace {

// Every key that any part of the reader asks for, in one model.
Json everything() {
  return Json::parse(
      R"({"architectures": ["Qwen3NextForCausalLM"], "model_type": "qwen3_next", "num_hidden_layers": 4,
    "hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
    "vocab_size": 100, "torch_dtype": "bfloat16", "tie_word_embeddings": false, "full_attention_interval": 4,
    "layer_types": ["linear_attention", "sliding_attention", "mamba", "full_attention"], "sliding_window": 32,
    "use_sliding_window": true, "max_window_layers": 2, "sliding_window_pattern": 2, "linear_num_key_heads": 2,
    "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_conv_kernel_dim": 4,
    "linear_attn_config": {"kda_layers": [1, 2], "full_attn_layers": [3, 4], "num_heads": 4, "head_dim": 16,
    "short_conv_kernel_size": 4}, "attn_type_list": [0, 1, 0, 1], "hybrid_layer_pattern": [1, 0, 1, 0],
    "hybrid_override_pattern": "", "layers_block_type": ["mamba", "attention", "moe", "mlp"], "mamba_num_heads": 4,
    "mamba_head_dim": 8, "n_groups": 2, "ssm_state_size": 16, "conv_kernel": 4, "mamba_ssm_dtype": "float32",
    "kv_lora_rank": 32, "q_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "qk_head_dim": 16, "v_head_dim": 8,
    "index_topk": 64, "index_n_heads": 2, "index_head_dim": 16, "indexer_types": ["full", "shared", "full", "full"],
    "sparse_attention_config": {"sparse_attention_freq": [0, 0, 1, 1], "sparse_block_size": 4, "sparse_index_dim": 8,
    "sparse_num_index_heads": 2, "sparse_topk_blocks": 4, "sparse_disable_index_value": [1, 1, 1, 1]},
    "compress_ratios": [0, 4, 128, 4], "o_groups": 2, "o_lora_rank": 8, "hc_mult": 4, "num_experts": 8,
    "num_experts_per_tok": 2, "moe_intermediate_size": 32, "n_shared_experts": 1, "shared_expert_intermediate_size": 32,
    "first_k_dense_replace": 1, "moe_layer_freq": [0, 1, 1, 1], "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"],
    "mlp_only_layers": [0], "decoder_sparse_step": 1, "moe_layers_enum": "1,2", "moe_layers": [1], "moe_latent_size": 16,
    "block_configs": [{"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 2.5}}], "mtp_num_hidden_layers": 1,
    "mtp_layers_block_type": ["attention", "moe"], "num_mtp_modules": 1, "use_mtp": true, "attn_output_gate": true,
    "no_rope_layers": [1, 0, 1, 0], "attention_chunk_size": 32, "num_kv_shared_layers": 1, "expert_dtype": "fp4",
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128], "quant_algo": "MIXED_PRECISION",
    "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}}},
    "quantized_layers": {"model.layers.0.mlp": {"quant_algo": "NVFP4", "group_size": 16}}, "ignore": ["lm_head", "re:.*x"],
    "kv_cache_scheme": {"num_bits": 8}}, "quantization": {"bits": 4, "group_size": 64},
    "vision_config": {"model_type": "qwen3_vl", "depth": 2, "hidden_size": 32, "patch_size": 16, "out_hidden_size": 64,
    "intermediate_size": 64, "num_position_embeddings": 16, "deepstack_visual_indexes": [1]}})");
}

const std::vector<Json>& odd_values() {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           false,
                                           0,
                                           -1,
                                           1.5,
                                           1e300,
                                           -1e300,
                                           999999999999,
                                           1000000,
                                           "",
                                           "abc",
                                           "*",
                                           "9",
                                           "M",
                                           Json::array(),
                                           Json::object(),
                                           Json::array({-1}),
                                           Json::array({"x", 1}),
                                           Json::array({nullptr}),
                                           Json::array({1e300, 1e300}),
                                           Json{{"a", 1}},
                                           Json::array({Json::array({})})};
  return values;
}

// Reads, and holds what was read to be numbers. A refusal is fine, as long as it is one.
void survive(const Json& config) {
  const std::string text = config.dump();
  CAPTURE(text);
  for (const std::string& quantization :
       {std::string(), std::string(R"({"quantization": {"quant_algo": "NVFP4"}})")}) {
    try {
      const ModelFacts facts = read_model_facts({.origin = "config.json",
                                                 .config = text,
                                                 .quantization = quantization,
                                                 .index = R"({"metadata": {}})"});
      CHECK(std::isfinite(facts.parameters));
      CHECK(std::isfinite(facts.counted_bytes));
      CHECK(std::isfinite(facts.sequence_bytes(1e6, 2)));
      CHECK(facts.parameters >= 0);
      CHECK(facts.kv_bytes(2) >= 0);
      CHECK(facts.state_bytes() >= 0);
    } catch (const UsageError&) {
    }
  }
}

}  // namespace

TEST_CASE("no odd value of any key breaks the reader of a configuration") {
  const Json whole = everything();
  for (const auto& item : whole.items()) {
    for (const Json& odd : odd_values()) {
      Json config = whole;
      config[item.key()] = odd;
      survive(config);
      config["text_config"] = config;
      survive(config);
    }
    if (!item.value().is_object()) continue;
    for (const auto& inner : item.value().items()) {
      for (const Json& odd : odd_values()) {
        Json config = whole;
        config[item.key()][inner.key()] = odd;
        survive(config);
      }
    }
  }
}

TEST_CASE("no mixture of keys and odd values breaks the reader of a configuration") {
  const Json whole = everything();
  const std::vector<std::string> architectures = {
      "LlamaForCausalLM",  "NemotronHForCausalLM",   "DeepseekV4ForCausalLM", "GptOssForCausalLM",
      "Llama4ForCausalLM", "LlamaForCausalLMEagle3", "Gemma3ForCausalLM",     "FalconForCausalLM",
      "XForCausalLM",      "MiniMaxM3ForCausalLM"};
  std::minstd_rand random(7);
  for (int round = 0; round < 300; ++round) {
    Json config;
    for (const auto& item : whole.items()) {
      const auto draw = random() % 8;
      if (draw == 0) continue;
      config[item.key()] = draw == 1 ? odd_values()[random() % odd_values().size()] : item.value();
    }
    config["architectures"] = {architectures[random() % architectures.size()]};
    config.erase("model_type");
    survive(config);
  }
}

TEST_CASE("no cut or broken text breaks the reader of a configuration") {
  const std::string text = everything().dump();
  std::minstd_rand random(11);
  for (std::size_t length = 0; length < text.size(); length += 37) {
    std::string broken = text.substr(0, length);
    if (!broken.empty()) broken[random() % broken.size()] = static_cast<char>(random() % 256);
    CHECK_THROWS_AS(read_model_facts({.origin = "c", .config = broken, .quantization = "", .index = ""}),
                    UsageError);
    const ModelFiles beside = {.origin = "c", .config = text, .quantization = broken, .index = ""};
    if (!broken.empty()) CHECK_THROWS_AS(read_model_facts(beside), UsageError);
  }
  std::string deep(100, '[');
  CHECK_THROWS_AS(
      read_model_facts({.origin = "c", .config = "{\"a\": " + deep, .quantization = "", .index = ""}),
      UsageError);
}
