#include <algorithm>
#include <nlohmann/json.hpp>

#include "served/model_facts.hpp"
#include "support/catch.hpp"

using namespace ringside;
using Json = nlohmann::ordered_json;

namespace {

Json config() {
  return {{"architectures", {"DeepseekV3ForCausalLM"}},
          {"num_hidden_layers", 3},
          {"hidden_size", 256},
          {"intermediate_size", 512},
          {"num_attention_heads", 8},
          {"num_key_value_heads", 2},
          {"vocab_size", 1000},
          {"torch_dtype", "bfloat16"},
          {"first_k_dense_replace", 1},
          {"n_routed_experts", 8},
          {"num_experts_per_tok", 2},
          {"n_shared_experts", 1},
          {"moe_intermediate_size", 64}};
}

ModelFacts read(const Json& quantization, const std::string& file = "") {
  Json model = config();
  if (!quantization.is_null()) model["quantization_config"] = quantization;
  return read_model_facts(
      {.origin = "config.json", .config = model.dump(), .quantization = file, .index = ""});
}

double bytes(const Weights& weights) {
  return weights.bytes / weights.parameters;
}

const LayerGroup& with_experts(const ModelFacts& facts) {
  return *std::ranges::find(facts.groups, true, &LayerGroup::experts);
}

}  // namespace

TEST_CASE("fp8 with blocks takes matrices of layers, and leaves vocabulary, routers and norms") {
  const ModelFacts facts = read({{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}});
  const LayerGroup& group = with_experts(facts);
  CHECK(facts.understood());
  CHECK(group.expert_weights.format == WeightFormat::fp8_block);
  CHECK(bytes(group.expert_weights) == 1 + 4.0 / 128 / 128);
  CHECK(bytes(group.attention_weights) == 1 + 4.0 / 128 / 128);
  CHECK(bytes(group.router_weights) == 2);
  CHECK(bytes(facts.embedding) == 2);
  CHECK(bytes(facts.head) == 2);
}

TEST_CASE("modules that are left out keep their type, by name, part of a name, star or expression") {
  for (const Json& left_out :
       {Json{"model.layers.1.self_attn", "model.layers.2.self_attn.q_proj", "model.layers.2.self_attn.k_proj",
             "model.layers.2.self_attn.v_proj", "model.layers.2.self_attn.o_proj"},
        Json{"self_attn"}, Json{"*.self_attn.*"}, Json{"language_model.model.layers.*.self_attn*"},
        Json{"re:.*self_attn.*"}}) {
    CAPTURE(left_out.dump());
    const ModelFacts facts = read({{"quant_method", "fp8"}, {"ignored_layers", left_out}});
    CHECK(bytes(with_experts(facts).attention_weights) == 2);
    CHECK(bytes(with_experts(facts).expert_weights) == 1);
    CHECK(facts.understood());
  }
}

TEST_CASE("a part of a name is a whole part") {
  const ModelFacts facts = read({{"quant_method", "fp8"}, {"modules_to_not_convert", {"mlp.gate", "attn"}}});
  CHECK(bytes(facts.groups[0].dense_weights) == 1);
  CHECK(bytes(facts.groups[0].attention_weights) == 1);
}

TEST_CASE("only the layers that a list names are left out") {
  const ModelFacts facts = read({{"quant_method", "fp8"}, {"ignored_layers", {"model.layers.2*"}}});
  REQUIRE(facts.groups.size() == 3);
  CHECK(bytes(facts.groups[1].expert_weights) == 1);
  CHECK(bytes(facts.groups[2].expert_weights) == 2);
}

TEST_CASE("groups of compressed-tensors say bits, kind and groups") {
  const auto stored = [](const Json& weights) {
    return bytes(with_experts(read({{"quant_method", "compressed-tensors"},
                                    {"config_groups",
                                     {{"group_0", {{"targets", {"Linear"}}, {"weights", weights}}}}}}))
                     .expert_weights);
  };
  CHECK(stored({{"num_bits", 4}, {"type", "int"}, {"group_size", 32}}) == 0.5 + 2.0 / 32);
  CHECK(stored({{"num_bits", 4}, {"type", "float"}, {"group_size", 16}}) == 0.5 + 1.0 / 16);
  CHECK(stored({{"num_bits", 4}, {"type", "float"}, {"group_size", 32}}) == 0.5 + 1.0 / 32);
  CHECK(stored({{"num_bits", 8}, {"type", "float"}}) == 1);
  CHECK(stored({{"num_bits", 8}, {"type", "int"}}) == 1);
}

TEST_CASE("hf_quant_config.json says it too, with exceptions and the cache's type") {
  const ModelFacts facts =
      read(nullptr, Json({{"producer", {{"name", "modelopt"}}},
                          {"quantization",
                           {{"quant_algo", "NVFP4"},
                            {"kv_cache_quant_algo", "FP8"},
                            {"group_size", 16},
                            {"exclude_modules", {"lm_head", "model.layers.*.self_attn*"}}}}})
                        .dump());
  CHECK(facts.understood());
  CHECK(with_experts(facts).expert_weights.format == WeightFormat::nvfp4);
  CHECK(bytes(with_experts(facts).expert_weights) == 0.5625);
  CHECK(bytes(with_experts(facts).attention_weights) == 2);
  CHECK(facts.kv_number_bytes == 1);
}

TEST_CASE("mixed precisions are read layer by layer") {
  Json layers;
  for (int i = 0; i < 4; ++i) {
    layers["model.layers." + std::to_string(i) + ".self_attn"] = {{"quant_algo", "FP8"}};
    layers["model.layers." + std::to_string(i) + ".mlp.experts"] = {{"quant_algo", "NVFP4"},
                                                                    {"group_size", 16}};
  }
  layers["lm_head"] = {{"quant_algo", "FP8"}};
  const ModelFacts facts = read(
      nullptr,
      Json({{"quantization", {{"quant_algo", "MIXED_PRECISION"}, {"quantized_layers", layers}}}}).dump());
  const LayerGroup& group = with_experts(facts);
  CHECK(facts.understood());
  CHECK(group.attention_weights.format == WeightFormat::fp8);
  CHECK(bytes(group.attention_weights) == 1);
  CHECK(bytes(group.expert_weights) == 0.5625);
  CHECK(bytes(group.shared_weights) == 2);
  CHECK(bytes(facts.head) == 1);
}

TEST_CASE("a model's own key gives its experts another type than the rest") {
  Json model = config();
  model["quantization_config"] = {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}};
  model["expert_dtype"] = "fp4";
  const ModelFacts facts =
      read_model_facts({.origin = "c", .config = model.dump(), .quantization = "", .index = ""});
  CHECK(bytes(with_experts(facts).expert_weights) == 0.5 + 1.0 / 32);
  CHECK(bytes(with_experts(facts).shared_weights) == 1 + 4.0 / 128 / 128);
  model["expert_dtype"] = "fp3";
  const ModelFacts odd =
      read_model_facts({.origin = "c", .config = model.dump(), .quantization = "", .index = ""});
  CHECK_FALSE(odd.understood());
}

TEST_CASE("mxfp4 of gpt-oss is the experts' alone") {
  const ModelFacts facts = read({{"quant_method", "mxfp4"}});
  CHECK(with_experts(facts).expert_weights.format == WeightFormat::mxfp4);
  CHECK(bytes(with_experts(facts).attention_weights) == 2);
  CHECK(bytes(with_experts(facts).shared_weights) == 2);
}

TEST_CASE("what isn't known of a quantisation is said, and nothing is taken from it") {
  for (const Json& odd :
       {Json{{"quant_method", "xyz"}}, Json{{"quant_algo", "FP5"}}, Json::object(), Json("fp8"),
        Json{{"quant_method", "gptq"}, {"bits", 3}},
        Json{{"quant_method", "fp8"}, {"ignored_layers", {"re:(a*)*b"}}},
        Json{{"quant_method", "fp8"}, {"ignored_layers", 7}},
        Json{{"quant_method", "fp8"}, {"weight_block_size", {0}}},
        Json{{"quant_method", "compressed-tensors"}, {"config_groups", {{"group_0", 1}}}}}) {
    CAPTURE(odd.dump());
    CHECK_FALSE(read(odd).understood());
  }
  CHECK(bytes(with_experts(read({{"quant_method", "xyz"}})).expert_weights) == 2);
}
