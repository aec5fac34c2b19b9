#include "served/model_facts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using Json = nlohmann::ordered_json;

namespace {

ModelFacts read(const Json& config, const std::string& quantization = "", const std::string& index = "") {
  return read_model_facts(
      {.origin = "config.json", .config = config.dump(), .quantization = quantization, .index = index});
}

std::string problem(const Json& config) {
  try {
    read(config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Json dense() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"num_hidden_layers", 4},
          {"hidden_size", 256},
          {"intermediate_size", 512},
          {"num_attention_heads", 8},
          {"num_key_value_heads", 2},
          {"vocab_size", 1000},
          {"torch_dtype", "bfloat16"},
          {"tie_word_embeddings", false}};
}

Json experts() {
  Json config = dense();
  config["architectures"] = {"Qwen3MoeForCausalLM"};
  config.update({{"num_experts", 16}, {"num_experts_per_tok", 2}, {"moe_intermediate_size", 64}});
  return config;
}

Json hybrid() {
  Json config = experts();
  config["architectures"] = {"Qwen3NextForCausalLM"};
  config["layer_types"] = {"linear_attention", "linear_attention", "linear_attention", "full_attention"};
  config.update({{"linear_num_key_heads", 4},
                 {"linear_num_value_heads", 8},
                 {"linear_key_head_dim", 32},
                 {"linear_value_head_dim", 16},
                 {"linear_conv_kernel_dim", 4},
                 {"shared_expert_intermediate_size", 96},
                 {"mtp_num_hidden_layers", 1}});
  return config;
}

bool mentions(const std::vector<std::string>& sentences, const std::string& text) {
  return std::ranges::any_of(
      sentences, [&](const std::string& sentence) { return sentence.find(text) != std::string::npos; });
}

const LayerGroup& group_of(const ModelFacts& facts, AttentionKind kind) {
  return *std::ranges::find(facts.groups, kind, &LayerGroup::attention);
}

}  // namespace

TEST_CASE("a dense model's numbers are those of its matrices") {
  const ModelFacts facts = read(dense());
  REQUIRE(facts.groups.size() == 1);
  const LayerGroup& group = facts.groups[0];
  CHECK(group.attention_weights.parameters == 256 * 32 * (8 + 2 * 2) + 8 * 32 * 256);
  CHECK(group.dense_weights.parameters == 3 * 256 * 512);
  CHECK(facts.parameters == 4 * group.total().parameters + 2 * 1000 * 256 + 256);
  CHECK(facts.weight_bytes == 2 * facts.parameters);
  CHECK(facts.kv_bytes(2) == 4 * 2 * 2 * 32 * 2);
  CHECK(facts.understood());
  CHECK(mentions(facts.derived, "head_dim = 256 / 8 = 32"));
  CHECK(std::ranges::find(facts.used, "hidden_size") != facts.used.end());
}

TEST_CASE("linear layers keep a state for each sequence and no keys and values") {
  const ModelFacts facts = read(hybrid());
  CHECK(facts.understood());
  CHECK(facts.layers() == 4);
  CHECK(group_of(facts, AttentionKind::linear).layers == 3);
  CHECK(group_of(facts, AttentionKind::linear).kv_numbers == 0);
  CHECK(facts.kv_bytes(2) == 1 * 2 * 2 * 32 * 2);
  CHECK(facts.state_bytes() == 3 * (8 * 32 * 16 * 4 + (2 * 4 * 32 + 8 * 16) * 3 * 2));
  CHECK(facts.sequence_bytes(100, 2) == 100 * facts.kv_bytes(2) + facts.state_bytes());
}

TEST_CASE("an interval alone says which layers are full") {
  Json config = hybrid();
  config.erase("layer_types");
  config["full_attention_interval"] = 4;
  CHECK(group_of(read(config), AttentionKind::linear).layers == 3);
  config["layer_types"] = {"linear_attention", "full_attention", "linear_attention", "full_attention"};
  const ModelFacts apart = read(config);
  CHECK(group_of(apart, AttentionKind::linear).layers == 2);
  CHECK(mentions(apart.not_understood, "'layer_types' and 'full_attention_interval' differ"));
}

TEST_CASE("a kind of layer that is not known is counted as nothing, and said") {
  Json config = hybrid();
  config["layer_types"] = {"wavelet", "wavelet", "linear_attention", "full_attention"};
  const ModelFacts facts = read(config);
  CHECK(mentions(facts.not_understood, "2 of 4 layers of kind 'wavelet'"));
  CHECK(group_of(facts, AttentionKind::unknown).layers == 2);
  CHECK(facts.kv_bytes(2) == 1 * 2 * 2 * 32 * 2);

  Json nameless = hybrid();
  for (const char* key : {"linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim",
                          "linear_value_head_dim", "linear_conv_kernel_dim"})
    nameless.erase(key);
  CHECK(mentions(read(nameless).not_understood, "'linear_attention'"));
}

TEST_CASE("an unknown architecture is never understood, whatever its keys") {
  Json config = hybrid();
  config["architectures"] = {"HybridExampleMoeForCausalLM"};
  const ModelFacts facts = read(config);
  CHECK(mentions(facts.not_understood, "unknown architecture 'HybridExampleMoeForCausalLM'"));
  CHECK(facts.kv_bytes(2) == 1 * 2 * 2 * 32 * 2);
  CHECK(problem({{"architectures", {"BertForMaskedLM"}}}).find("no decoder that generates text") !=
        std::string::npos);
}

TEST_CASE("a sampler's top_k is never the router's") {
  Json config = experts();
  config["top_k"] = 50;
  config["temperature"] = 0.7;
  const ModelFacts facts = read(config);
  CHECK(facts.groups[0].per_token == 2);
  CHECK(facts.understood());
  config.erase("num_experts_per_tok");
  CHECK(problem(config) == "config.json: 'num_experts_per_tok' is missing");
}

TEST_CASE("shared experts are counted beside the routed ones, by size or by number") {
  const ModelFacts sized = read(hybrid());
  CHECK(sized.groups[0].shared == 1);
  CHECK(sized.groups[0].shared_intermediate == 96);
  CHECK(sized.groups[0].shared_weights.parameters == 3 * 256 * 96 + 256);
  Json config = experts();
  config["n_shared_experts"] = 2;
  const ModelFacts counted = read(config);
  CHECK(counted.groups[0].shared_intermediate == 2 * 64);
  CHECK(counted.active_parameters - read(experts()).active_parameters == 4 * 3 * 256 * 2 * 64);
}

TEST_CASE("which layers have experts is read from lists, steps and first dense layers") {
  const auto layers_with_experts = [](const std::string& key, const Json& value) {
    Json config = experts();
    config[key] = value;
    int layers = 0;
    for (const LayerGroup& group : read(config).groups) layers += group.experts ? group.layers : 0;
    return layers;
  };
  CHECK(layers_with_experts("first_k_dense_replace", 1) == 3);
  CHECK(layers_with_experts("moe_layer_freq", Json::array({0, 0, 0, 1})) == 1);
  CHECK(layers_with_experts("mlp_layer_types", {"dense", "sparse", "sparse", "dense"}) == 2);
  CHECK(layers_with_experts("decoder_sparse_step", 2) == 2);
  CHECK(layers_with_experts("mlp_only_layers", Json::array({0, 3})) == 2);
  CHECK(layers_with_experts("moe_layers_enum", "1,2,3") == 3);
}

TEST_CASE("windows are kept apart from tokens that stay") {
  Json config = dense();
  config["architectures"] = {"GptOssForCausalLM"};
  config["layer_types"] = {"sliding_attention", "full_attention", "sliding_attention", "full_attention"};
  config["sliding_window"] = 128;
  config["use_cache"] = true;
  const ModelFacts facts = read(config);
  CHECK(facts.kv_bytes(2) == 2 * 2 * 2 * 32 * 2);
  CHECK(facts.window_bytes(2) == 2 * 2 * 2 * 32 * 2);
  CHECK(facts.sequence_bytes(1000, 2) == 1000 * facts.kv_bytes(2) + 128 * facts.window_bytes(2));
  config["sliding_window"] = nullptr;
  CHECK(mentions(read(config).not_understood, "a window whose size no key gives"));

  Json unknown = dense();
  unknown["sliding_window"] = 128;
  CHECK(mentions(read(unknown).not_understood, "which layers have it isn't known"));
  unknown["use_sliding_window"] = false;
  CHECK(read(unknown).understood());
}

TEST_CASE("latent attention keeps one latent for all heads, and an indexer adds its key") {
  Json config = experts();
  config["architectures"] = {"DeepseekV32ForCausalLM"};
  config.update({{"kv_lora_rank", 64},
                 {"q_lora_rank", 96},
                 {"qk_nope_head_dim", 32},
                 {"qk_rope_head_dim", 16},
                 {"v_head_dim", 24}});
  const ModelFacts latent = read(config);
  CHECK(latent.kv_bytes(2) == 4 * (64 + 16) * 2);
  CHECK(latent.groups[0].attention == AttentionKind::latent);
  CHECK(latent.groups[0].attention_weights.parameters ==
        256 * 96 + 96 * 8 * 48 + 96 + 256 * 80 + 64 * 8 * (32 + 24) + 8 * 24 * 256 + 64);
  config.update({{"index_n_heads", 4}, {"index_head_dim", 128}, {"index_topk", 2048}});
  const ModelFacts sparse = read(config);
  CHECK(sparse.groups[0].attention == AttentionKind::sparse_latent);
  CHECK(sparse.groups[0].read_tokens == 2048);
  CHECK(sparse.kv_bytes(2) == latent.kv_bytes(2) + 4 * 132);
}

TEST_CASE("MTP layers have weights of their own, and the index says whether files hold them") {
  const ModelFacts facts = read(hybrid());
  CHECK(facts.draft.layers == 1);
  CHECK(facts.draft.attention == AttentionKind::full);
  CHECK(facts.draft.experts);
  CHECK(facts.draft_projection.parameters == 2 * 256 * 256 + 3 * 256);
  CHECK(facts.counted_bytes ==
        2 * (facts.parameters + facts.draft.total().parameters + facts.draft_projection.parameters));
  const auto index = [&](const char* tensor) {
    return Json({{"metadata", {{"total_size", 2 * facts.parameters}}},
                 {"weight_map", {{tensor, "1.safetensors"}}}})
        .dump();
  };
  CHECK(read(hybrid(), "", index("model.layers.0.mlp.gate.weight")).draft.layers == 0);
  CHECK(read(hybrid(), "", index("mtp.layers.0.mlp.gate.weight")).draft.layers == 1);
}

TEST_CASE("a tied head is read in each step and held once") {
  Json config = dense();
  const double untied = read(config).parameters;
  config["tie_word_embeddings"] = true;
  const ModelFacts tied = read(config);
  CHECK(tied.tied);
  CHECK(untied - tied.parameters == 1000 * 256);
  CHECK(tied.head.parameters == 1000 * 256);
  config.erase("tie_word_embeddings");
  CHECK_FALSE(read(config).tied);
  config["architectures"] = {"GemmaForCausalLM"};
  CHECK(read(config).tied);
}

TEST_CASE("a nested level wins, whatever it is called, and its neighbours are looked at") {
  for (const char* name : {"text_config", "llm_config", "language_config"}) {
    CAPTURE(name);
    Json config = {
        {"architectures", {"KimiVLForConditionalGeneration"}}, {"hidden_size", 77}, {name, dense()}};
    CHECK(read(config).hidden == 256);
    config["extra_expert_blocks"] = 3;
    CHECK(mentions(read(config).not_understood, "'extra_expert_blocks' (3)"));
    config["audio_config"] = {{"layers", 3}};
    CHECK(mentions(read(config).not_understood, "'audio_config'"));
  }
}

TEST_CASE("a key that looks like structure and isn't known is said, others aren't") {
  for (const char* key : {"num_memory_heads", "kv_share_groups", "latent_rank", "conv_blocks", "state_dim",
                          "ssm_size", "extra_layers", "headDim", "expert_capacity"}) {
    CAPTURE(key);
    Json config = dense();
    config[key] = 3;
    CHECK(mentions(read(config).not_understood, std::string("'") + key + "' (3)"));
    for (const Json& off : {Json(nullptr), Json(0), Json(false), Json::array()}) {
      config[key] = off;
      CHECK(read(config).understood());
    }
  }
  Json config = dense();
  config.update({{"eos_token_id", 2},
                 {"attention_dropout", 0.1},
                 {"rope_scaling", {{"factor", 4}}},
                 {"rms_norm_eps", 1e-6},
                 {"transformers_version", "4.5"},
                 {"initializer_range", 0.02},
                 {"max_position_embeddings", 4096}});
  CHECK(read(config).understood());
}

TEST_CASE("a long value is cut between letters") {
  Json config = dense();
  config["layer_name"] =
      "x\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
      "\u00e9\u00e9\u00e9\u00e9\u00e9";
  CHECK_NOTHROW(Json(read(config).not_understood).dump());
  CHECK(mentions(read(config).not_understood, "..."));
}

TEST_CASE("two keys for one number that differ are said") {
  Json config = experts();
  config["n_routed_experts"] = 32;
  CHECK(mentions(read(config).not_understood, "'num_experts' is 16, and another key for the same is 32"));
}

TEST_CASE("the index's total counts, and a total that the configuration can't explain is said") {
  const double counted = read(dense()).counted_bytes;
  const auto index = [](double size) { return Json({{"metadata", {{"total_size", size}}}}).dump(); };
  const ModelFacts near = read(dense(), "", index(counted * 1.01));
  CHECK(near.weight_bytes == counted * 1.01);
  CHECK(near.weight_bytes_measured);
  CHECK(near.understood());
  CHECK(
      mentions(read(dense(), "", index(counted * 1.2)).not_understood, "part of the model isn't understood"));
  CHECK(mentions(read(dense(), "", "{}").not_understood, "no usable 'metadata.total_size'"));
}

TEST_CASE("a separate draft has its projection and its own head, without the target's embedding") {
  Json config = dense();
  config["architectures"] = {"LlamaForCausalLMEagle3"};
  config["num_hidden_layers"] = 1;
  config["draft_vocab_size"] = 100;
  const ModelFacts facts = read(config);
  CHECK(facts.is_draft);
  CHECK(facts.head_vocabulary == 100);
  CHECK(facts.head.parameters == 100 * 256);
  CHECK(facts.draft_projection.parameters == 3 * 256 * 256);
  CHECK(facts.embedding.parameters == 0);
  CHECK(facts.groups[0].attention_weights.parameters == 512 * 32 * (8 + 2 * 2) + 8 * 32 * 256);
}

TEST_CASE("files beside a config are found by folder or by file") {
  const TemporaryFolder folder;
  folder.write("config.json", dense().dump());
  folder.write("hf_quant_config.json", "{}");
  folder.write("model.safetensors.index.json", "{\"metadata\": {}}");
  for (const auto& path : {folder.path(), folder.path() / "config.json"}) {
    const ModelFiles files = load_model_files(path);
    CHECK(files.quantization == "{}");
    CHECK(files.index == "{\"metadata\": {}}");
  }
}
