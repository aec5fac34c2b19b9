#include "served/config_json.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

ConfigJson read(const std::string& text) {
  return read_config_json(text, "config.json");
}

ConfigValue number(std::int64_t value) {
  return JsonScalar(value);
}

}  // namespace

TEST_CASE("a config gives its counts under the names of any family, and which name that was") {
  const ConfigJson llama = read(R"({"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 80,
    "hidden_size": 8192, "num_attention_heads": 64, "num_key_value_heads": 8})");
  CHECK(llama.architecture == "LlamaForCausalLM");
  CHECK(llama.layers.value == 80);
  CHECK(llama.layers.key == "num_hidden_layers");
  CHECK(llama.attention.kv_heads.value == 8);
  CHECK_FALSE(llama.experts.routed.found());
  CHECK(llama.experts.per_token.key == "num_experts_per_tok");
  const ConfigJson gpt = read(R"({"n_layer": 12, "n_embd": 768, "n_head": 12})");
  CHECK(gpt.layers.value == 12);
  CHECK(gpt.layers.key == "n_layer");
  CHECK(gpt.hidden.key == "n_embd");
  CHECK(gpt.attention.heads.value == 12);
}

TEST_CASE("a nested text_config has the counts, and its keys count before those of the top level") {
  const ConfigJson config = read(R"({"architectures": ["KimiK25ForConditionalGeneration"], "hidden_size": 1,
    "vocab_size": 7, "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "hidden_size": 7168,
    "n_routed_experts": 384, "kv_lora_rank": 512, "torch_dtype": "float16"}})");
  CHECK(config.architecture == "KimiK25ForConditionalGeneration");
  CHECK(config.hidden.value == 7168);
  CHECK_FALSE(config.vocabulary.found());
  CHECK(config.experts.routed.value == 384);
  CHECK(config.attention.kv_rank.value == 512);
  CHECK(config.dtype == "float16");
  CHECK(config.keys.values.at("hidden_size") == number(7168));
  CHECK(config.keys.values.at("vocab_size") == number(7));
  CHECK_FALSE(config.keys.values.contains("text_config"));
}

TEST_CASE("the architecture of a text_config counts where the top level names none") {
  const ConfigJson config = read(R"({"text_config": {"architectures": ["DeepseekV3ForCausalLM"]}})");
  CHECK(config.architecture == "DeepseekV3ForCausalLM");
  CHECK(config.keys.architecture.empty());
}

TEST_CASE("a count that can't be has a problem and no value, and refuses nothing by itself") {
  const ConfigJson config = read(R"({"num_hidden_layers": "many", "hidden_size": 1.5, "vocab_size": -1,
    "head_dim": null})");
  CHECK(config.layers.problem == "'num_hidden_layers' must be a number");
  CHECK_FALSE(config.layers.value);
  CHECK(config.hidden.problem == "'hidden_size' must be a whole number from 1 to 1000000, not 1.5");
  CHECK(config.vocabulary.problem == "'vocab_size' must be a whole number from 1 to 1000000000, not -1");
  CHECK_FALSE(config.attention.head_size.found());
}

TEST_CASE("every key of a config has its value, and a list or an object is there without one") {
  const ConfigJson config =
      read(R"({"a": 1, "b": null, "c": "x", "d": true, "e": 0.5, "f": [1], "g": {"h": 2},
    "i": [], "architectures": ["X"], "eagle_config": {"use_aux_hidden_state": false}})");
  const auto& values = config.keys.values;
  CHECK(values.at("a") == number(1));
  CHECK(values.at("b") == ConfigValue(JsonScalar(std::monostate{})));
  CHECK(values.at("c") == ConfigValue(JsonScalar(std::string("x"))));
  CHECK(values.at("d") == ConfigValue(JsonScalar(true)));
  CHECK(values.at("e") == ConfigValue(JsonScalar(0.5)));
  CHECK(values.at("f") == std::nullopt);
  CHECK(values.at("g") == std::nullopt);
  CHECK_FALSE(values.contains("i"));
  CHECK_FALSE(values.contains("architectures"));
  CHECK(values.at("use_aux_hidden_state") == ConfigValue(JsonScalar(false)));
  CHECK(config.keys.complete);
}

TEST_CASE("bits of a quantised weight are found wherever a quantisation says them") {
  const auto bits = [](const std::string& quantization) {
    return read("{\"quantization_config\": " + quantization + "}").weight_bits;
  };
  CHECK(bits(R"({"config_groups": {"group_0": {"weights": {"num_bits": 4}}}})") == 4);
  CHECK(bits(R"({"bits": 3, "quant_method": "gptq"})") == 3);
  CHECK(bits(R"({"quant_method": "fp8"})") == 8);
  CHECK(bits(R"({"quant_method": "mxfp4"})") == 4);
  CHECK(bits(R"({"load_in_8bit": true})") == 8);
  CHECK(bits(R"({"quant_method": "xyz"})") == std::nullopt);
  CHECK(read(R"({"quantization_config": {}})").quantized);
  CHECK_FALSE(read(R"({"quantization_config": null})").quantized);
}

TEST_CASE("a config.json that is no JSON object is refused by its name") {
  CHECK_THROWS_WITH(read("{"), Catch::Matchers::ContainsSubstring("config.json: no JSON: "));
  CHECK_THROWS_WITH(read("[1, 2]"), "config.json: a config.json is an object");
  CHECK_THROWS_WITH(read("{\"a\": " + std::string(100, '[') + std::string(100, ']') + "}"),
                    "config.json: nested more than 64 deep");
}
