// The scenarios in this binary: each launch ends as it says, every signature and table can be read.
#include "support/catch.hpp"
#include "trace/core/what_if.hpp"
#include "trace/sglang/launch_model.hpp"
#include "trace/sglang/launch_scenario.hpp"
#include "trace/sglang/model_table.hpp"
#include "trace/sglang/trace_launch.hpp"

using namespace ringside;

TEST_CASE("every described launch ends as its scenario expects") {
  const auto signatures = load_signatures();
  for (const ScenarioText& text : list_scenarios("traces")) {
    CAPTURE(text.name);
    const LaunchScenario scenario = read_launch_scenario(text);
    const Pipeline pipeline = find_pipeline(scenario.pipeline);
    Document document;
    trace_launch(pipeline, make_launch(scenario, pipeline), signatures, document);
    CHECK(document.trace->outcome == scenario.expect);
  }
}

TEST_CASE("versions are found by name, release and commit") {
  CHECK(find_pipeline("v0.5.9").name == "sglang-0.5.9");
  CHECK(find_pipeline("82a0bafc1").name == "sglang-82a0bafc1");
  CHECK(find_pipeline("82a0bafc1deadbeef").name == "sglang-82a0bafc1");
  CHECK_THROWS_WITH(find_pipeline("0.5.8x"), Catch::Matchers::ContainsSubstring("0.5.9"));
}

TEST_CASE("a model that a command names by its repository has the facts of the well-known one") {
  const LaunchModel known = find_model("moonshotai/Kimi-K2.5");
  CHECK(known.architecture == Value("KimiK25ForConditionalGeneration"));
  CHECK(known.values.at("num_hidden_layers") == Value(61));
  CHECK(known.values.at("index_topk").is_none());
  CHECK_FALSE(known.complete);
  CHECK(find_model("someone/unheard-of").architecture.is_unknown());
}

TEST_CASE("facts of a config are its values, and what is no plain one is unknown") {
  const LaunchModel facts = launch_model(read_config_json(
      R"({"text_config": {"num_experts": 8, "rope_scaling": {"factor": 4}, "index_topk": null}})",
      "config.json"));
  CHECK(facts.values.at("num_experts") == Value(8));
  CHECK(facts.values.at("rope_scaling").why() == "rope_scaling is no plain value");
  CHECK(facts.values.at("index_topk").is_none());
  CHECK(facts.architecture.why() == "config.json names no architecture");
  CHECK(facts.complete);
}

TEST_CASE("twelve classes of 82a0bafc1 lack the hook and reach the assert") {
  int count = 0;
  for (const ModelVerdict& verdict : judge_models(find_pipeline("82a0bafc1")))
    if (!verdict.asserts_with.empty()) ++count;
  CHECK(count == 12);
}
