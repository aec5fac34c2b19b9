#include "spec/speed_estimate.hpp"

#include <algorithm>

#include "inquiries.hpp"
#include "spec/decision.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SpecEstimate estimate_of(const Inquiry& inquiry) {
  if (!inquiry.facts) {
    SpecEstimate estimate = estimate_speeds(inquiry, nullptr);
    say_decision(inquiry, nullptr, estimate);
    return estimate;
  }
  const Posterior posterior = calibrate(inquiry);
  SpecEstimate estimate = estimate_speeds(inquiry, &posterior);
  say_decision(inquiry, &posterior, estimate);
  return estimate;
}

const SpecCell& cell(const SpecEstimate& estimate, int drafts) {
  return *std::ranges::find(estimate.table, drafts, &SpecCell::drafts);
}

}  // namespace

TEST_CASE("two measured speeds decide their point, whatever the model says") {
  for (const double speculative : {20.0, 90.0}) {
    Inquiry inquiry = dense_inquiry();
    inquiry.observations = {observed(1, 40), observed(1, speculative, 3, 2.5)};
    const SpecEstimate estimate = estimate_of(inquiry);
    CHECK(estimate.certainty == "measured");
    CHECK(estimate.verdict == (speculative > 40 ? "pays" : "loses"));
    CHECK(estimate.speedup->median == Catch::Approx(speculative / 40));
    CHECK(estimate.decision.starts_with("measured here at batch 1: "));
    CHECK(cell(estimate, 3).measured);
    CHECK(cell(estimate, 3).speedup->median == Catch::Approx(speculative / 40));
    CHECK_FALSE(cell(estimate, 2).measured);
    if (speculative < 40) CHECK_FALSE(cell(estimate, 3).best);
  }
}

TEST_CASE("a measured pair decides no other batch and no other number of drafts") {
  Inquiry inquiry = dense_inquiry(4);
  inquiry.observations = {observed(1, 40), observed(1, 20, 3, 2.5)};
  CHECK(estimate_of(inquiry).certainty != "measured");
  inquiry = dense_inquiry(1);
  inquiry.observations = {observed(1, 40), observed(1, 20, 2, 2.2)};
  CHECK(estimate_of(inquiry).certainty != "measured");
}

TEST_CASE("a speed that can't be is shown, not used, and opens the verdict") {
  Inquiry inquiry = dense_inquiry();
  inquiry.observations = {observed(1, 1e9)};
  const SpecEstimate estimate = estimate_of(inquiry);
  CHECK(estimate.verdict == "open");
  REQUIRE(estimate.observations.size() == 1);
  CHECK_FALSE(estimate.observations.front().used);
  CHECK_FALSE(estimate.observations.front().reason.empty());
  CHECK(estimate.plain_tokens_s->median < 1000);
}

TEST_CASE("a speed that can't be decides nothing beside another one either") {
  Inquiry inquiry = dense_inquiry();
  inquiry.observations = {observed(1, 5000), observed(1, 50, 3, 2.5)};
  const SpecEstimate estimate = estimate_of(inquiry);
  CHECK(estimate.verdict == "open");
  CHECK(estimate.certainty != "measured");
  REQUIRE(estimate.measured.size() == 1);
  CHECK_FALSE(estimate.measured.front().ratio);
}

TEST_CASE("without an acceptance there is no speed-up, only the length to break even") {
  const SpecEstimate estimate = estimate_of(dense_inquiry(1, std::nullopt));
  CHECK_FALSE(estimate.speedup);
  CHECK_FALSE(estimate.speculative_tokens_s);
  CHECK_FALSE(estimate.pays);
  REQUIRE(estimate.break_even_length);
  CHECK(estimate.break_even_length->median > 1);
  CHECK(estimate.missing.find("acceptance length") != std::string::npos);
  CHECK(std::ranges::none_of(estimate.table, &SpecCell::best));
}

TEST_CASE("without a model only what was measured is said, and that the model is missing") {
  Inquiry inquiry = dense_inquiry(8, 2.4);
  inquiry.facts.reset();
  inquiry.observations = {observed(8, 455), observed(8, 372, 3, 2.4)};
  const SpecEstimate estimate = estimate_of(inquiry);
  CHECK(estimate.certainty == "measured");
  CHECK(estimate.verdict == "loses");
  CHECK_FALSE(estimate.plain_tokens_s);
  CHECK(estimate.table.empty());
  CHECK(estimate.missing.find("--from-config") != std::string::npos);
}

TEST_CASE("what nobody said is an assumption, and never firm") {
  Inquiry inquiry = dense_inquiry(1, 3.9);
  inquiry.workload.graphs_proven = true;
  inquiry.observations = {observed(1, 40), observed(1, 70, 2, 2.8)};
  const std::string firm = estimate_of(inquiry).certainty;
  inquiry.assumptions = {"GPUs not known"};
  CHECK(estimate_of(inquiry).certainty != "firm");
  inquiry.assumptions.clear();
  inquiry.acceptance->origin = Origin::assumed;
  CHECK(estimate_of(inquiry).certainty != "firm");
  CHECK(firm == "firm");
}

TEST_CASE("an uncertain length widens the interval and moves the probability towards a half") {
  Inquiry inquiry = dense_inquiry(1, 2.5);
  const SpecEstimate sharp = estimate_of(inquiry);
  inquiry.acceptance->sigma = 0.4;
  const SpecEstimate wide = estimate_of(inquiry);
  CHECK(wide.speedup->median == Catch::Approx(sharp.speedup->median));
  CHECK(wide.speedup->low < sharp.speedup->low);
  CHECK(wide.speedup->high > sharp.speedup->high);
  CHECK(std::abs(*wide.pays - 0.5) < std::abs(*sharp.pays - 0.5));
}

TEST_CASE("the same inquiry has the same numbers") {
  Inquiry inquiry = dense_inquiry();
  inquiry.observations = {observed(1, 40)};
  CHECK(estimate_of(inquiry).speedup->median == estimate_of(inquiry).speedup->median);
}

TEST_CASE("a table has a line for each batch and context, and one number to take in each") {
  Inquiry inquiry = dense_inquiry(1, 2.5);
  inquiry.batches = {1, 8};
  inquiry.contexts = {1024, 4096};
  const SpecEstimate estimate = estimate_of(inquiry);
  CHECK(std::ranges::count(estimate.table, 0, &SpecCell::drafts) == 4);
  CHECK(std::ranges::count_if(estimate.table, &SpecCell::best) == 4);
  CHECK(estimate.crossover.size() == 2);
}

TEST_CASE("what is missing names an unproven graph, until a log shows one at these rows") {
  Inquiry inquiry = dense_inquiry(8);
  CHECK(estimate_of(inquiry).missing.find("32 rows") != std::string::npos);
  inquiry.workload.graphs_proven = true;
  CHECK(estimate_of(inquiry).missing.find("CUDA graphs") == std::string::npos);
}
