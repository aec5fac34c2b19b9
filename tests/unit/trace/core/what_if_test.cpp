#include "trace/core/what_if.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "trace/sglang/trace_launch.hpp"
#include "unit/trace/core/sample_pipeline.hpp"

using namespace ringside;

TEST_CASE("the cheapest change without a failure is named first") {
  const auto signatures = load_signatures();
  const Launch launch = sample_launch("Wrapper", "ring");
  const std::string outcome = outcome_of(evaluate(sample_pipeline(), launch), signatures);
  const auto found = what_if(sample_pipeline(), launch, outcome, signatures, load_changes());
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().changes == std::vector<std::string>{"--moe-a2a-backend none"});
  CHECK(found.front().outcome == "no-failure-found");
}

TEST_CASE("a launch that needs two changes gets a pair") {
  const Pipeline pipeline = sample_pipeline(R"(
[[procedure]]
name = "dispatch"
step = [{at = "d.py:1", in = "f", check = "state.expert_location_metadata is not None"}]
)");
  Pipeline twice = pipeline;
  Step step;
  step.place = {"args.py", 3, "args"};
  step.effect = EffectKind::check;
  step.value = Condition("not args.enable_eplb");
  step.error = "AssertionError";
  twice.procedures.at("args").steps.push_back(step);
  Launch launch = sample_launch("Wrapper", "ring");
  launch.args["enable_eplb"] = true;
  const auto signatures = load_signatures();
  const auto found =
      what_if(twice, launch, outcome_of(evaluate(twice, launch), signatures), signatures, load_changes());
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().outcome == "no-failure-found");
  CHECK(found.front().changes.size() == 2);
}

TEST_CASE("changes come from the version: choices that it lacks are not tried") {
  const auto signatures = load_signatures();
  const auto found = what_if(sample_pipeline(), sample_launch("Wrapper", "ring"), "unknown-death", signatures,
                             load_changes());
  for (const Counterfactual& change : found)
    for (const std::string& text : change.changes) CHECK(text.find("deepep") == std::string::npos);
}

TEST_CASE("what the version refuses is taken back, or replaced by what it takes") {
  const auto signatures = load_signatures();
  Launch launch = sample_launch("Inner", "rang");
  launch.refused = {{"argument --moe-a2a-backend: invalid choice: 'rang'", "moe_a2a_backend", {}}};
  const auto found = what_if(sample_pipeline(), launch, "arguments-refused", signatures, load_changes());
  REQUIRE(found.size() > 1);
  CHECK(found[0].changes == std::vector<std::string>{"without what this version refuses"});
  CHECK(found[1].changes == std::vector<std::string>{"--moe-a2a-backend none"});
  CHECK(found[1].outcome == "no-failure-found");
}
