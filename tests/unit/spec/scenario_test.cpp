#include "spec/scenario.hpp"

#include <set>

#include "base/errors.hpp"
#include "spec/model_config.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::string problem(const std::vector<std::string>& overrides, const std::string& name = "kimi-k2.5-eagle3") {
  try {
    find_spec_scenario(name, overrides);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string config_problem(const std::string& text) {
  try {
    read_model_config(text, "config.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every embedded scenario can be read") {
  std::set<std::string> names;
  for (const SpecScenario& scenario : list_spec_scenarios()) names.insert(scenario.name);
  CHECK(names == std::set<std::string>{"deepseek-v3-mtp", "glm-4.5-mtp", "kimi-k2.5-eagle3",
                                       "llama-3-70b-eagle", "qwen3-235b-a22b", "template"});
}

TEST_CASE("the story's scenario carries the reported numbers with their mark") {
  const SpecScenario scenario = find_spec_scenario("kimi-k2.5-eagle3");
  CHECK(scenario.model.layers == 61);
  CHECK(scenario.model.allreduces == 122);
  CHECK(scenario.model.hidden == 7168);
  CHECK(scenario.model.dtype == DType::bf16);
  CHECK(scenario.parallel.tp == 8);
  CHECK(scenario.observed.plain_tokens_s->value == 89);
  CHECK(scenario.observed.spec_tokens_s->value == 54);
  CHECK(scenario.observed.others.front().tokens_s.value == 38);
  CHECK(scenario.observed.verify_communication_ms->value == 24);
  CHECK(scenario.observed.plain_tokens_s->origin == Origin::reported);
  CHECK(message_bytes(scenario.model, scenario.speculation.verify_tokens()).count == 57344);
}

TEST_CASE("an override replaces any number, a table's origin included") {
  const SpecScenario scenario = find_spec_scenario(
      "kimi-k2.5-eagle3", {"speculation.batch=8", "acceptance.length=2.4", "memory.fraction=0.9"});
  CHECK(scenario.speculation.batch == 8);
  CHECK(scenario.acceptance.length->value == 2.4);
  CHECK(scenario.acceptance.length->origin == Origin::assumed);
  CHECK(scenario.memory.fraction->value == 0.9);
}

TEST_CASE("a wrong key names the nearest one") {
  CHECK(problem({"speculation.draft_token=6"}).find("draft_tokens") != std::string::npos);
}

TEST_CASE("numbers that can't be are refused in one line") {
  for (const char* bad :
       {"speculation.batch=0", "speculation.batch=-1", "speculation.draft_tokens=0", "model.hidden=-7168",
        "acceptance.length=9", "acceptance.rate=1.5", "acceptance.rates=[0.5,0.6]", "parallel.tp=0",
        "parallel.ep=7", "model.layers=nan", "observed.spec_tokens_s=0", "speculation.draft_tokens=99",
        "experts.dispatch=\"fp4\"", "experts.load=[1,2]"}) {
    CAPTURE(bad);
    const std::string text = problem({bad});
    CHECK_FALSE(text.empty());
    CHECK(text.find('\n') == std::string::npos);
  }
}

TEST_CASE("messages beyond all sizes are refused") {
  CHECK(problem({"speculation.batch=1000000", "model.hidden=1000000"}).find("more than can be sent") !=
        std::string::npos);
}

TEST_CASE("a config.json gives the shape of a model, text_config and quantisation included") {
  const ModelShape model = read_model_config(R"({"architectures": ["KimiK25ForConditionalGeneration"],
    "text_config": {"num_hidden_layers": 61, "hidden_size": 7168, "n_routed_experts": 384, "num_experts_per_tok": 8,
    "n_shared_experts": 1, "moe_intermediate_size": 2048, "intermediate_size": 18432, "first_k_dense_replace": 1,
    "num_attention_heads": 64, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 163840, "torch_dtype": "bfloat16",
    "quantization_config": {"config_groups": {"group_0": {"weights": {"num_bits": 4}}}}}})",
                                             "config.json");
  CHECK(model.name == "KimiK25ForConditionalGeneration");
  CHECK(model.layers == 61);
  CHECK(model.moe_layers == 60);
  CHECK(model.experts == 384);
  CHECK(model.allreduces == 122);
  CHECK(model.expert_bits == 4);
  CHECK(model.other_bits == 16);
  CHECK(model.attention_parameters == Catch::Approx(101.1e6).epsilon(0.001));
  CHECK(model.kv_bytes == 61 * 576 * 2);
}

TEST_CASE("a dense model's config needs no word about experts") {
  const ModelShape model = read_model_config(
      R"({"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 80, "hidden_size": 8192,
          "intermediate_size": 28672, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256,
          "torch_dtype": "bfloat16"})",
      "config.json");
  CHECK(model.moe_layers == 0);
  CHECK(model.attention_parameters == Catch::Approx(151e6).epsilon(0.001));
}

TEST_CASE("a config without what is needed names the architecture and the key") {
  CHECK(config_problem(R"({"architectures": ["RwkvForCausalLM"], "hidden_size": 4096})") ==
        "config.json: unknown architecture 'RwkvForCausalLM': it has no 'num_hidden_layers' of 1 or more");
  CHECK(config_problem("[1, 2]") == "config.json: a config.json is an object");
  CHECK(config_problem("{").starts_with("config.json: no JSON: "));
  CHECK(config_problem(R"({"num_hidden_layers": "many"})") ==
        "config.json: 'num_hidden_layers' must be a number");
}
