#include "spec/memory.hpp"

#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

double kv_tokens(int kv_heads, ParallelLayout parallel) {
  SpecScenario scenario = small_scenario();
  scenario.model.kv_bytes = 80'000;
  scenario.model.kv_heads = kv_heads;
  scenario.parallel = parallel;
  MachineProfile machine;
  machine.memory_gib = 96;
  const SpecMemory memory = memory_by_layout(scenario, machine).front();
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
