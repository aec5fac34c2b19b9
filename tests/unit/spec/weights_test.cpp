#include "spec/weights.hpp"

#include "spec/communication.hpp"
#include "spec/memory.hpp"
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

TEST_CASE("one token hits its top-k experts, very many hit all") {
  const ModelShape model = with_experts().model;
  CHECK(experts_hit(model, 1) == Catch::Approx(4));
  CHECK(experts_hit(model, 2) == Catch::Approx(64 * (1 - (60.0 / 64) * (60.0 / 64))));
  CHECK(experts_hit(model, 1e4) == Catch::Approx(64));
  CHECK(experts_hit(small_scenario().model, 5) == 0);
}

TEST_CASE("weights are the sum of their matrices, cut over the ranks") {
  const SpecScenario scenario = with_experts();
  const double expert = 3.0 * 1000 * 100;
  const double routed = 8 * 64 * expert;
  const double shared = 8 * expert;
  const double others = 10 * 1e6 + 2 * 3.0 * 1000 * 400 + 2 * 1000.0 * 1000;
  CHECK(weight_bytes(scenario.model, scenario.parallel, Layout::tp) ==
        Catch::Approx((routed + 2 * (shared + others)) / 4));
  // Expert parallelism keeps the shared experts whole on every rank.
  CHECK(weight_bytes(scenario.model, scenario.parallel, Layout::ep) ==
        Catch::Approx(routed / 4 + 2 * (shared + others / 4)));
}

TEST_CASE("with one rank both layouts hold and read the same") {
  SpecScenario scenario = with_experts();
  scenario.parallel = {.tp = 1, .ep = 1};
  CHECK(weight_bytes(scenario.model, scenario.parallel, Layout::tp) ==
        Catch::Approx(weight_bytes(scenario.model, scenario.parallel, Layout::ep)));
  CHECK(bytes_read(scenario.model, scenario.parallel, Layout::tp, 3) ==
        Catch::Approx(bytes_read(scenario.model, scenario.parallel, Layout::ep, 3)));
}

TEST_CASE("more tokens read more of a model with experts, and never more than there is") {
  const SpecScenario scenario = with_experts();
  for (const Layout layout : {Layout::tp, Layout::ep}) {
    double before = 0;
    for (int tokens = 1; tokens < 300; tokens *= 2) {
      const double read = bytes_read(scenario.model, scenario.parallel, layout, tokens);
      CHECK(read >= before);
      CHECK(read <= weight_bytes(scenario.model, scenario.parallel, layout));
      before = read;
    }
  }
}

TEST_CASE("expert parallelism has an allreduce less for each layer with experts, and two all-to-alls") {
  const SpecScenario scenario = with_experts();
  CHECK(allreduce_calls(scenario.model, Layout::tp) == 20);
  CHECK(allreduce_calls(scenario.model, Layout::ep) == 12);
  Communication calls = constant_calls(100);
  calls.alltoall = CallTimes([](Bytes) { return 1.0; });
  CHECK(forward_ns(scenario, calls, 4) == Catch::Approx(2000));
  calls.layout = Layout::ep;
  CHECK(forward_ns(scenario, calls, 4) == Catch::Approx(12 * 100 + 8 * 2));
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
  MachineProfile machine;
  machine.memory_gib = 100;
  scenario.memory.fraction = Quantity{.value = 0.82};
  const auto memory = memory_by_layout(scenario, machine);
  REQUIRE(memory.size() == 2);
  CHECK(memory[0].kv_pool_bytes == Catch::Approx(2 * 1073741824.0));
  CHECK(memory[1].kv_pool_bytes < 0);
  CHECK(memory[0].least_fraction == Catch::Approx(0.80));
  CHECK(memory[1].least_fraction == Catch::Approx(0.85));
  machine.memory_gib = 0;
  CHECK(memory_by_layout(scenario, machine).empty());
}
