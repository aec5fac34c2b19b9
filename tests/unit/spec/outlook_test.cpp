#include "spec/outlook.hpp"

#include "inquiries.hpp"
#include "spec/speed_estimate.hpp"
#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

struct Sheet {
  Inquiry inquiry = dense_inquiry();
  Communication baseline = constant_calls(10e3, "baseline");
  Posterior posterior = calibrated();
  StepSheet sheet{inquiry, posterior, baseline, false};

  Posterior calibrated() {
    inquiry.workload.allreduce = {
        .at_us = [](double) { return 10.0; }, .origin = Origin::measured, .source = "test", .factor = 1.1};
    return calibrate(inquiry);
  }
};

}  // namespace

TEST_CASE("a candidate's step is the calibrated one with its own calls") {
  Sheet test;
  const Communication slower = constant_calls(30e3);
  const double own = test.sheet.step_ns(test.baseline, 3);
  CHECK(own == Catch::Approx(test.posterior.step_ms(asked_point(test.inquiry)).median * 1e6));
  // 160 calls of the verify pass and 3 x 2 of the drafts take 20 us longer each.
  CHECK(test.sheet.step_ns(slower, 3) - own == Catch::Approx((160 + 6) * 20e3));
  CHECK(test.sheet.step_ns(slower, 0) - test.sheet.step_ns(test.baseline, 0) == Catch::Approx(160 * 20e3));
}

TEST_CASE("a candidate's thresholds agree with one another") {
  Sheet test;
  const Communication calls = constant_calls(30e3);
  const SpecCandidate candidate = judge_candidate(test.sheet, test.inquiry.acceptance, calls);
  CHECK(candidate.break_even_length == Catch::Approx(candidate.step_ns / candidate.plain_step_ns));
  CHECK(*candidate.tokens_s == Catch::Approx(2.5 / candidate.step_ns * 1e9));
  REQUIRE(candidate.break_even_call_ns);
  // With the verify pass's calls as fast as that, the step gives as many tokens as the plain one.
  const double step = candidate.step_ns + 160 * (*candidate.break_even_call_ns - 30e3);
  CHECK(2.5 / step == Catch::Approx(1 / candidate.plain_step_ns));
  // Faster calls are worth what one microsecond says.
  const SpecCandidate faster = judge_candidate(test.sheet, test.inquiry.acceptance, constant_calls(29e3));
  CHECK(*faster.tokens_s - *candidate.tokens_s == Catch::Approx(*candidate.tokens_s_per_us).epsilon(0.01));
}

TEST_CASE("without an acceptance a candidate has no speed with speculation") {
  Sheet test;
  const SpecCandidate candidate = judge_candidate(test.sheet, std::nullopt, constant_calls(30e3));
  CHECK_FALSE(candidate.tokens_s);
  CHECK_FALSE(candidate.best_draft_tokens);
  CHECK(candidate.plain_tokens_s > 0);
  CHECK(candidate.break_even_length > 1);
  CHECK(candidate_curves(test.sheet, std::nullopt, constant_calls(30e3)).size() == 1);
}

TEST_CASE("of numbers of drafts that differ by less than the band the smallest is taken") {
  Sheet test;
  KnownAcceptance hopeless = *test.inquiry.acceptance;
  hopeless.acceptance = Acceptance::from_rate(0.02);
  CHECK(*judge_candidate(test.sheet, hopeless, constant_calls(10e3)).best_draft_tokens == 1);
}
