#include "spec/step_model.hpp"

#include "spec/outlook.hpp"
#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

StepModel model_of(const SpecScenario& scenario, double rate) {
  return StepModel(scenario, Acceptance::from_rate(rate), small_compute());
}

}  // namespace

TEST_CASE("a step is its draft steps and a verify pass, each with its calls") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 0.5);
  const Communication calls = constant_calls(1000);
  CHECK(model.plain_step_ns(calls) == Catch::Approx(1e6 + 20 * 1000));
  CHECK(model.verify_ns(calls, 4) == Catch::Approx(2e6 + 20 * 1000));
  CHECK(model.draft_ns(calls, 4) == Catch::Approx(3 * (1e5 + 2 * 1000)));
  CHECK(model.step_ns(calls, 4) == Catch::Approx(2e6 + 20'000 + 306'000));
  CHECK(model.tokens_s(calls, 4) == Catch::Approx((1 + 0.5 + 0.25 + 0.125) / 2.326e-3));
  CHECK(model.plain_tokens_s(calls) == Catch::Approx(1 / 1.02e-3));
}

TEST_CASE("without communication only compute is left") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 1);
  const Communication free = constant_calls(0);
  CHECK(model.step_ns(free, 4) == Catch::Approx(2.3e6));
  CHECK(model.tokens_s(free, 4) == Catch::Approx(4 / 2.3e-3));
  CHECK(judge_candidate(scenario, model, free).share() == 0);
}

TEST_CASE("one draft token is no speculation") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 0.9);
  const Communication calls = constant_calls(5000);
  CHECK(model.tokens_s(calls, 1) == Catch::Approx(model.plain_tokens_s(calls)));
}

TEST_CASE("more acceptance is never slower, longer calls are never faster") {
  const SpecScenario scenario = small_scenario();
  for (double call = 0; call <= 200'000; call += 10'000) {
    for (double rate = 0; rate < 0.95; rate += 0.05) {
      for (int drafts = 2; drafts <= 8; ++drafts) {
        const double here = model_of(scenario, rate).tokens_s(constant_calls(call), drafts);
        CHECK(model_of(scenario, rate + 0.05).tokens_s(constant_calls(call), drafts) >= here);
        CHECK(model_of(scenario, rate).tokens_s(constant_calls(call + 1000), drafts) <= here);
      }
    }
  }
}

TEST_CASE("at the break-even length both ways are as fast") {
  SpecScenario scenario = small_scenario();
  const Communication calls = constant_calls(20'000);
  const SpecCandidate candidate = judge_candidate(scenario, model_of(scenario, 0.6), calls);
  const StepModel even(scenario, Acceptance::from_length(candidate.break_even_length, 3), small_compute());
  CHECK(even.tokens_s(calls, 4) == Catch::Approx(even.plain_tokens_s(calls)));
}

TEST_CASE("at the break-even call time both ways are as fast") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 0.9);
  const Communication calls = constant_calls(50'000);
  const SpecCandidate candidate = judge_candidate(scenario, model, calls);
  REQUIRE(candidate.break_even_call_ns);
  // Only the verify pass gets other calls: plain and draft messages are of one token here.
  const double call = *candidate.break_even_call_ns;
  Communication mixed = calls;
  mixed.allreduce = CallTimes([call](Bytes bytes) { return bytes.count > 2000 ? call : 50'000.0; });
  CHECK(model.tokens_s(mixed, 4) == Catch::Approx(model.plain_tokens_s(mixed)));
}

TEST_CASE("where even free calls lose there is no break-even call time") {
  const SpecScenario scenario = small_scenario();
  CHECK_FALSE(judge_candidate(scenario, model_of(scenario, 0), constant_calls(0)).break_even_call_ns);
}

TEST_CASE("a microsecond less is worth what it says") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 0.7);
  const SpecCandidate before = judge_candidate(scenario, model, constant_calls(10'000));
  const SpecCandidate after = judge_candidate(scenario, model, constant_calls(9'000));
  CHECK(after.tokens_s - before.tokens_s == Catch::Approx(before.tokens_s_per_us));
}

TEST_CASE("the best number of draft tokens is 1 when nothing is accepted, and grows with acceptance") {
  const SpecScenario scenario = small_scenario();
  const Communication calls = constant_calls(1000);
  CHECK(judge_candidate(scenario, model_of(scenario, 0), calls).best_draft_tokens == 1);
  int before = 1;
  for (const double rate : {0.5, 0.8, 0.9, 0.99}) {
    const int best = judge_candidate(scenario, model_of(scenario, rate), calls).best_draft_tokens;
    CHECK(best >= before);
    before = best;
  }
  CHECK(before > 2);
}

TEST_CASE("throughput grows with the batch, as a step does not") {
  SpecScenario scenario = small_scenario();
  const StepModel one = model_of(scenario, 0.5);
  const double single = one.tokens_s(constant_calls(1000), 4);
  scenario.speculation.batch = 4;
  CHECK(one.tokens_s(constant_calls(1000), 4) == Catch::Approx(4 * single));
}

TEST_CASE("a curve over draft tokens begins with the plain step") {
  const SpecScenario scenario = small_scenario();
  const StepModel model = model_of(scenario, 0.5);
  const Communication calls = constant_calls(1000);
  const auto curves = candidate_curves(scenario, model, calls);
  REQUIRE(curves.size() == 3);
  CHECK(curves[0].points.front().second == Catch::Approx(model.plain_tokens_s(calls)));
  CHECK(curves[0].points[3].second == Catch::Approx(model.tokens_s(calls, 4)));
}

TEST_CASE("another number of draft tokens is called the best only where it is clearly better") {
  const SpecScenario scenario = small_scenario();
  for (double rate = 0; rate < 1; rate += 0.02) {
    const StepModel model = model_of(scenario, rate);
    const SpecCandidate candidate = judge_candidate(scenario, model, constant_calls(10'000));
    CAPTURE(rate, candidate.best_draft_tokens);
    if (candidate.best_draft_tokens != scenario.speculation.draft_tokens)
      CHECK(candidate.best_tokens_s > 1.01 * candidate.tokens_s);
    for (int tokens = 1; tokens <= kMostDraftTokens; ++tokens)
      CHECK(model.tokens_s(constant_calls(10'000), tokens) <= candidate.best_tokens_s * 1.0101);
  }
}
