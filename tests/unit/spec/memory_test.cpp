#include "spec/memory.hpp"

#include "spec/model_shape.hpp"
#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

constexpr double kGib = 96;

double kv_tokens(int kv_heads, ParallelLayout parallel) {
  SpecScenario scenario = small_scenario();
  scenario.model.kv_bytes = 80'000;
  scenario.model.kv_heads = kv_heads;
  scenario.model.head_size = kv_heads > 0 ? 4000 / 2 / kv_heads : 0;
  scenario.parallel = parallel;
  const SpecMemory memory = memory_by_layout(scenario, facts_of(scenario.model), kGib).front();
  return *memory.kv_tokens / memory.kv_pool_bytes * 80'000;
}

}  // namespace

TEST_CASE("ranks share the KV of a token by its heads, the last of them several times") {
  CHECK(kv_tokens(8, {.tp = 1}) == Catch::Approx(1));
  CHECK(kv_tokens(8, {.tp = 8}) == Catch::Approx(8));
  CHECK(kv_tokens(8, {.tp = 16}) == Catch::Approx(8));
  CHECK(kv_tokens(4, {.tp = 8}) == Catch::Approx(4));
}

TEST_CASE("a latent KV lies whole on every rank, and so does that of data-parallel attention") {
  CHECK(kv_tokens(0, {.tp = 8}) == Catch::Approx(1));
  CHECK(kv_tokens(8, {.tp = 8, .ep = 8, .dp_attention = true}) == Catch::Approx(1));
}

TEST_CASE("layers with a window or a state take memory of a sequence, not of every further token") {
  ModelFacts facts = facts_of(small_scenario().model);
  LayerGroup& group = facts.groups.front();
  group.layers = 5;
  group.kv_heads = 8;
  group.kv_numbers = 2000;
  LayerGroup window = group;
  window.attention = AttentionKind::sliding;
  window.window = 100;
  LayerGroup state = group;
  state.attention = AttentionKind::linear;
  state.kv_numbers = 0;
  state.state_bytes = 1e6;
  facts.groups = {group, window, state};
  const RankCache cache = rank_cache(facts, {.tp = 1}, 5000, false);
  CHECK(cache.token_bytes == Catch::Approx(5 * 2000 * 2));
  CHECK(cache.sequence_bytes == Catch::Approx(5 * 2000 * 2 * 100 + 5 * 1e6));
}
