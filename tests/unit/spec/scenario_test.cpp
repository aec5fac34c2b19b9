#include "spec/scenario.hpp"

#include <map>
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

// A dense model's config, with this key as given.
std::string llama(const std::string& key = "x", const std::string& value = "0") {
  std::map<std::string, std::string> keys = {{"architectures", R"(["LlamaForCausalLM"])"},
                                             {"num_hidden_layers", "80"},
                                             {"hidden_size", "8192"},
                                             {"intermediate_size", "28672"},
                                             {"num_attention_heads", "64"},
                                             {"num_key_value_heads", "8"},
                                             {"vocab_size", "128256"},
                                             {"torch_dtype", R"("bfloat16")"}};
  keys[key] = value;
  std::string text;
  for (const auto& [name, content] : keys) text += (text.empty() ? "{\"" : ", \"") + name + "\": " + content;
  return text + "}";
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
                                             "config.json")
                               .model;
  CHECK(model.name == "KimiK25ForConditionalGeneration");
  CHECK(model.layers == 61);
  CHECK(model.moe_layers == 60);
  CHECK(model.experts == 384);
  CHECK(model.allreduces == 122);
  CHECK(model.expert_bits == 4);
  CHECK(model.other_bits == 16);
  CHECK(model.attention_parameters == Catch::Approx(101.1e6).epsilon(0.001));
  CHECK(model.kv_bytes == 61 * 576 * 2);
  CHECK(model.kv_heads == 0);
}

TEST_CASE("a dense model's config needs no word about experts") {
  const ModelShape model = read_model_config(llama(), "config.json").model;
  CHECK(model.moe_layers == 0);
  CHECK(model.kv_heads == 8);
  CHECK(model.attention_parameters == Catch::Approx(151e6).epsilon(0.001));
}

TEST_CASE("a config without what is needed names the architecture and the key") {
  CHECK(config_problem(R"({"architectures": ["RwkvForCausalLM"], "hidden_size": 4096})") ==
        "config.json: unknown architecture 'RwkvForCausalLM': it has no 'num_hidden_layers'");
  CHECK(config_problem(R"({"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 4})") ==
        "config.json: 'hidden_size' is missing, which a LlamaForCausalLM has");
  CHECK(config_problem("[1, 2]") == "config.json: a config.json is an object");
  CHECK(config_problem("{").starts_with("config.json: no JSON: "));
  CHECK(config_problem(R"({"num_hidden_layers": "many"})") ==
        "config.json: 'num_hidden_layers' must be a number");
}

TEST_CASE("a config's numbers have limits, and counts are whole") {
  const std::vector<std::pair<std::string, std::string>> bad = {{"num_hidden_layers", "99999999999"},
                                                                {"num_hidden_layers", "1.5"},
                                                                {"hidden_size", "9e11"},
                                                                {"head_dim", "1e12"},
                                                                {"num_experts", "1e12"},
                                                                {"num_key_value_heads", "0"},
                                                                {"vocab_size", "-1"},
                                                                {"intermediate_size", "0"}};
  for (const auto& [key, value] : bad) {
    CAPTURE(key, value);
    const std::string problem = config_problem(llama(key, value));
    CHECK(problem.starts_with("config.json: '" + key + "' must be a whole number from "));
    CHECK(problem.find('\n') == std::string::npos);
  }
  CHECK(config_problem(llama("num_experts", R"(8, "num_experts_per_tok": 2, "moe_intermediate_size": 0)"))
            .starts_with("config.json: 'moe_intermediate_size' must be a whole number from 1"));
}

TEST_CASE("a model that is no decoder is refused, and one of a later family read with a doubt") {
  CHECK(config_problem(llama("architectures", R"(["BertForMaskedLM"])")) ==
        "config.json: unknown architecture 'BertForMaskedLM': no decoder that generates text");
  CHECK(config_problem(llama("architectures", R"(["LlamaForCausalM"])"))
            .find("did you mean 'LlamaForCausalLM'") != std::string::npos);
  const ModelConfig later = read_model_config(llama("architectures", R"(["FooBarForCausalLM"])"), "c.json");
  CHECK(later.model.layers == 80);
  REQUIRE(later.doubts.size() == 1);
  CHECK(later.doubts[0].starts_with("unknown architecture 'FooBarForCausalLM': read as a decoder"));
  CHECK(read_model_config(llama(), "c.json").doubts.empty());
}

TEST_CASE("a type or a quantisation that is not known is taken with a doubt") {
  const ModelConfig type = read_model_config(llama("torch_dtype", "\"int3\""), "c.json");
  CHECK(type.model.dtype == DType::bf16);
  REQUIRE(type.doubts.size() == 1);
  CHECK(type.doubts[0].find("int3") != std::string::npos);
  const ModelConfig quantised =
      read_model_config(llama("quantization_config", R"({"quant_method": "xyz"})"), "c.json");
  REQUIRE(quantised.doubts.size() == 1);
  CHECK(quantised.doubts[0].find("quantization_config") != std::string::npos);
  CHECK(
      read_model_config(llama("quantization_config", R"({"quant_method": "fp8"})"), "c.json").doubts.empty());
}

TEST_CASE("an override wins over a config, and the rest of the config stays") {
  const ModelShape model = read_model_config(llama(), "config.json").model;
  const SpecScenario same = find_spec_scenario("template", {}, model);
  CHECK(same.model == model);
  const SpecScenario other = find_spec_scenario("template", {"model.hidden=2048", "model.layers=10"}, model);
  CHECK(other.model.hidden == 2048);
  CHECK(other.model.allreduces == 20);
  CHECK(other.model.vocabulary == 128256);
}

TEST_CASE("expert parallelism divides the ranks, and follows them where nobody gives it") {
  for (const char* ep : {"parallel.ep=16", "parallel.ep=6", "parallel.ep=48"}) {
    CAPTURE(ep);
    CHECK(problem({ep}).find("parallel.ep of") != std::string::npos);
  }
  CHECK_FALSE(problem({"parallel.tp=3", "parallel.ep=8"}).empty());
  CHECK(find_spec_scenario("kimi-k2.5-eagle3", {"parallel.tp=4"}).parallel.ep == 4);
}

TEST_CASE("one draft token and an empty list of rates say nothing, and are refused by their flag") {
  CHECK(problem({"speculation.draft_tokens=1"}).starts_with("--set speculation.draft_tokens=1: "));
  CHECK(problem({"acceptance.rates=[]"}).starts_with("--set acceptance.rates=[]: "));
  CHECK(problem({"acceptance.rates=[0.5, 0.6]"}).starts_with("--set acceptance.rates=[0.5, 0.6]: "));
  CHECK(problem({"machine=\"nope\""}).starts_with("--set machine=\"nope\": unknown machine 'nope'"));
}

TEST_CASE("one way to say the acceptance that --set gives takes the place of the scenario's own") {
  const AcceptanceInput given = find_spec_scenario("template", {"acceptance.rate=0.7"}).acceptance;
  CHECK(given.rate->value == 0.7);
  CHECK_FALSE(given.length);
  CHECK_FALSE(problem({"acceptance.rate=0.7", "acceptance.length=2"}, "template").empty());
}

TEST_CASE("a config that names no architecture is read with a doubt, an encoder and decoder is refused") {
  const ModelConfig nameless = read_model_config(llama("architectures", "null"), "c.json");
  REQUIRE(nameless.doubts.size() == 1);
  CHECK(nameless.doubts[0].starts_with("a model without 'architectures'"));
  CHECK(
      config_problem(llama("architectures", R"(["T5ForConditionalGeneration"], "is_encoder_decoder": true)"))
          .ends_with("no decoder that generates text"));
}
