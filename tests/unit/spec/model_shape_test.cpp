#include "spec/model_shape.hpp"

#include "spec/scenario.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a scenario's model becomes layers with and without experts") {
  const SpecScenario scenario = find_spec_scenario("kimi-k2.5-eagle3");
  const ModelFacts facts = facts_of(scenario.model);
  REQUIRE(facts.groups.size() == 2);
  CHECK(facts.layers() == 61);
  CHECK(facts.groups[1].routed == 384);
  CHECK(facts.groups[1].attention == AttentionKind::latent);
  CHECK(facts.kv_bytes(2) == Catch::Approx(61 * 576 * 2));
  CHECK(facts.parameters == Catch::Approx(1.03e12).epsilon(0.02));
  CHECK(facts.active_parameters == Catch::Approx(33e9).epsilon(0.05));
  CHECK(allreduces_of(facts) == 122);
}

TEST_CASE("what a scenario says of a model comes back from its facts") {
  for (const char* name : {"kimi-k2.5-eagle3", "llama-3-70b-eagle", "qwen3-235b-a22b", "glm-4.5-mtp"}) {
    CAPTURE(name);
    const ModelShape shape = find_spec_scenario(name).model;
    const ModelFacts facts = facts_of(shape);
    CHECK(fits_shape(facts));
    const ModelShape back = shape_of(facts);
    CHECK(back.layers == shape.layers);
    CHECK(back.moe_layers == shape.moe_layers);
    CHECK(back.hidden == shape.hidden);
    CHECK(back.experts == shape.experts);
    CHECK(back.top_k == shape.top_k);
    CHECK(back.shared_experts == shape.shared_experts);
    CHECK(back.expert_bits == Catch::Approx(shape.expert_bits));
    CHECK(back.kv_bytes == Catch::Approx(shape.kv_bytes));
    CHECK(back.kv_heads == shape.kv_heads);
    CHECK(back.allreduces == shape.allreduces);
  }
}

TEST_CASE("a model of several kinds of layers does not fit a scenario's table") {
  ModelFacts facts = facts_of(find_spec_scenario("llama-3-70b-eagle").model);
  facts.groups.push_back(facts.groups.front());
  facts.groups.back().attention = AttentionKind::linear;
  CHECK_FALSE(fits_shape(facts));
}
