#include "spec/weights.hpp"

#include "spec/communication.hpp"
#include "spec/memory.hpp"
#include "spec/model_shape.hpp"
#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SpecScenario with_experts() {
  SpecScenario scenario = small_scenario();
  ModelShape& model = scenario.model;
  model.moe_layers = 8;
  model.experts = 64;
  model.top_k = 4;
  model.shared_experts = 1;
  model.expert_intermediate = 100;
  model.dense_intermediate = 400;
  model.attention_parameters = 1e6;
  model.vocabulary = 1000;
  model.expert_bits = 8;
  model.other_bits = 16;
  return scenario;
}

}  // namespace

TEST_CASE("weights are the sum of their matrices, cut over the ranks") {
  const SpecScenario scenario = with_experts();
  const ModelFacts facts = facts_of(scenario.model);
  const double expert = 3.0 * 1000 * 100;
  const double routed = 8 * 64 * expert;
  const double router = 8 * 64 * 1000.0 * 2;  // whole on every rank
  const double shared = 8 * expert;
  const double others = 10 * 1e6 + 2 * 3.0 * 1000 * 400 + 2 * 1000.0 * 1000;
  const ParallelLayout& parallel = scenario.parallel;
  CHECK(rank_weight_bytes(facts, serving_layout(parallel, Layout::tp), false) ==
        Catch::Approx((routed + 2 * (shared + others)) / 4 + router));
  // With an all-to-all every rank has the shared experts whole.
  CHECK(rank_weight_bytes(facts, serving_layout(parallel, Layout::ep), false) ==
        Catch::Approx(routed / 4 + 2 * (shared + others / 4) + router));
}

TEST_CASE("DP attention has whole attention layers on every rank") {
  SpecScenario scenario = with_experts();
  const ModelFacts facts = facts_of(scenario.model);
  const double cut = rank_weight_bytes(facts, serving_layout(scenario.parallel, Layout::tp), false);
  scenario.parallel.dp_attention = true;
  const double whole = rank_weight_bytes(facts, serving_layout(scenario.parallel, Layout::tp), false);
  CHECK(whole - cut == Catch::Approx(10 * 1e6 * 2 * 3 / 4));
}

TEST_CASE("the size of the files is the truth about weights") {
  ModelFacts facts = facts_of(with_experts().model);
  const double counted = rank_weight_bytes(facts, {.tp = 2}, false);
  facts.weight_bytes_measured = true;
  facts.weight_bytes = 1.1 * facts.counted_bytes;
  CHECK(rank_weight_bytes(facts, {.tp = 2}, false) == Catch::Approx(1.1 * counted));
}

TEST_CASE("an all-to-all takes the place of an allreduce, expert parallelism without one keeps it") {
  SpecScenario scenario = with_experts();
  Communication calls = constant_calls(100);
  CHECK(allreduce_calls(scenario, calls) == 20);
  calls.layout = Layout::ep;
  CHECK(allreduce_calls(scenario, calls) == 20);
  CHECK(forward_ns(scenario, calls, 4) == Catch::Approx(2000));
  calls.alltoall = CallTimes([](Bytes) { return 1.0; });
  CHECK(allreduce_calls(scenario, calls) == 12);
  CHECK(forward_ns(scenario, calls, 4) == Catch::Approx(12 * 100 + 8 * 2));
}

TEST_CASE("DP attention has no allreduce behind the attention, one GPU has none at all") {
  SpecScenario scenario = with_experts();
  scenario.parallel.dp_attention = true;
  CHECK(allreduce_calls(scenario, constant_calls(100)) == 10);
  scenario.parallel = {.tp = 1, .ep = 1};
  CHECK(allreduce_calls(scenario, constant_calls(100)) == 0);
  CHECK(forward_ns(scenario, constant_calls(100), 4) == 0);
}

TEST_CASE("a dispatch sends each of a rank's tokens once for each of its experts, fp8 half as wide") {
  SpecScenario scenario = with_experts();
  CHECK(combine_bytes(scenario, 8).count == 2 * 4 * 1000 * 2);
  CHECK(dispatch_bytes(scenario, 8) == combine_bytes(scenario, 8));
  CHECK(combine_bytes(scenario, 1).count == 4 * 1000 * 2);  // the fullest rank counts
  scenario.traffic.fp8_dispatch = true;
  CHECK(dispatch_bytes(scenario, 8).count == 8256);  // a scale for every 128 numbers, whole 16 bytes
}

TEST_CASE("a pool fits above the memory fraction that is named, and not below") {
  SpecScenario scenario = with_experts();
  scenario.observed.free_tp_gib = Quantity{.value = 20};
  scenario.observed.free_ep_gib = Quantity{.value = 15};
  scenario.memory.context_gib = Quantity{.value = 0};
  const ModelFacts facts = facts_of(scenario.model);
  scenario.memory.fraction = Quantity{.value = 0.82};
  const auto memory = memory_by_layout(scenario, facts, 100);
  REQUIRE(memory.size() == 2);
  CHECK(memory[0].kv_pool_bytes == Catch::Approx(2 * 1073741824.0));
  CHECK(memory[1].kv_pool_bytes < 0);
  CHECK(memory[0].least_fraction == Catch::Approx(0.80));
  CHECK(memory[1].least_fraction == Catch::Approx(0.85));
  CHECK(memory_by_layout(scenario, facts, 0).empty());
}
