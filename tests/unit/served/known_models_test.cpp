#include "served/known_models.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("models are known by repository and folder names") {
  CHECK(well_known_model("moonshotai/Kimi-K2.5").architecture == "KimiK25ForConditionalGeneration");
  CHECK(well_known_model("/models/kimi_k2.5_nvfp4").architecture == "KimiK25ForConditionalGeneration");
  CHECK(well_known_model("moonshotai/Kimi-K2-Instruct").architecture == "DeepseekV3ForCausalLM");
  CHECK(well_known_model("lightseekorg/kimi-k2.5-eagle3").architecture == "LlamaForCausalLMEagle3");
  CHECK(well_known_model("someone/unheard-of").name.empty());
}

TEST_CASE("a name that only begins like a known one is not known") {
  for (const char* name : {"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "zai-org/GLM-4.5VL", "my-kimi-k2.5",
                           "deepseek-v3-from-scratch", "moonshotai/Kimi-K2.5-v2", "lmsys/DeepSeek-R1-NextN"})
    CHECK(well_known_model(name).name.empty());
  CHECK(well_known_model("zai-org/GLM-4.5V").architecture == "Glm4vMoeForConditionalGeneration");
  CHECK(well_known_model("nvidia/DeepSeek-R1-0528-FP4-v2/").architecture == "DeepseekV3ForCausalLM");
  CHECK(well_known_model("/hub/models--moonshotai--Kimi-K2.5/snapshots/0a1b").architecture ==
        "KimiK25ForConditionalGeneration");
}

TEST_CASE("what a well-known model does not have is known too") {
  const ConfigKeys keys = well_known_model("deepseek-ai/DeepSeek-R1");
  CHECK(keys.values.at("n_routed_experts") == ConfigValue(JsonScalar(std::int64_t{256})));
  CHECK(keys.values.at("index_topk") == ConfigValue(JsonScalar(std::monostate{})));
  CHECK_FALSE(keys.complete);
}

TEST_CASE("a scenario's own model takes the given name where it has none") {
  const TomlDocument document(
      {"x", "x.toml", "[model]\narchitecture = \"A\"\nvalues = { num_experts = 4 }\n"});
  const ConfigKeys keys = read_config_keys(*document.root().find_table("model"), "mine");
  CHECK(keys.name == "mine");
  CHECK(keys.architecture == "A");
  CHECK(keys.values.at("num_experts") == ConfigValue(JsonScalar(std::int64_t{4})));
}
