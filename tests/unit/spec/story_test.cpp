#include "spec/story.hpp"

#include "machine/profile_catalogue.hpp"
#include "spec/candidates.hpp"
#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

// 20 allreduces of 50 us in the verify pass, none worth mentioning elsewhere.
SpecScenario observed(double tokens_s) {
  SpecScenario scenario = small_scenario();
  scenario.observed.plain_tokens_s = Quantity{.value = 500};
  scenario.observed.spec_tokens_s = Quantity{.value = tokens_s};
  scenario.observed.verify_communication_ms = Quantity{.value = 1};
  return scenario;
}

}  // namespace

TEST_CASE("a scenario without an observed speculative throughput has no story") {
  CHECK_FALSE(explain_observed(small_scenario(), small_compute(), constant_calls(0)));
}

TEST_CASE("the acceptance length that explains a throughput gives that throughput") {
  const SpecScenario scenario = observed(600);
  const auto story = explain_observed(scenario, small_compute(), constant_calls(0));
  REQUIRE(story);
  // 1 ms of communication, 2 ms of verify, 3 drafts of 0.1 ms.
  CHECK(story->explanations[0].value == Catch::Approx(600 * 3.3e-3));
  CHECK(story->consistent);
  CHECK(story->length->value == Catch::Approx(1.98));
}

TEST_CASE("a throughput that no acceptance length explains is called impossible") {
  const auto story = explain_observed(observed(5000), small_compute(), constant_calls(0));
  REQUIRE(story);
  CHECK_FALSE(story->consistent);
  CHECK_FALSE(story->explanations[0].possible);
}

TEST_CASE("a plain step bounds its calls from above") {
  const auto story = explain_observed(observed(600), small_compute(), constant_calls(0));
  CHECK(story->evidence[0] == "a plain step takes 2.00 ms, so its 20 allreduces take at most 100 us each");
}

TEST_CASE("the reported story is consistent, with an acceptance length between 1.5 and 2.7") {
  const SpecScenario scenario = find_spec_scenario("kimi-k2.5-eagle3");
  const MachineProfile machine = find_machine_profile(scenario.machine);
  const Communication baseline = modelled_baseline(scenario, machine);
  const auto story = explain_observed(scenario, find_compute(scenario, machine, baseline), baseline);
  REQUIRE(story);
  CHECK(story->consistent);
  CHECK(story->explanations[0].range->low > 1.5);
  CHECK(story->explanations[0].range->high < 2.8);
}
