#include "spec/speed_pairs.hpp"

#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SpeedReading reading(double batch, double tokens_s, int drafts, std::optional<double> context = {}) {
  SpeedReading made;
  made.source = drafts > 0 ? "spec.log" : "plain.log";
  made.speculative = drafts > 0;
  made.batch = batch;
  made.tokens_s = tokens_s;
  made.context = context;
  made.windows = 12;
  made.spread = Interval{tokens_s * 0.98, tokens_s * 1.02};
  made.settled = true;
  if (drafts > 0) made.arguments.draft_steps = drafts;
  return made;
}

Inquiry question() {
  Inquiry inquiry;
  inquiry.scenario = small_scenario();
  return inquiry;
}

std::vector<SpecMeasured> pairs_of(std::vector<SpeedReading> readings) {
  Inquiry inquiry = question();
  for (SpeedReading& one : readings) inquiry.observations.push_back({std::move(one), Origin::measured});
  return pair_speeds(inquiry);
}

}  // namespace

TEST_CASE("two speeds of one batch are set beside each other, with the interval of their spread") {
  const auto pairs = pairs_of({reading(8, 252, 0), reading(8, 199, 3)});
  REQUIRE(pairs.size() == 1);
  REQUIRE(pairs.front().ratio);
  CHECK(pairs.front().ratio->median == Catch::Approx(199.0 / 252));
  CHECK(pairs.front().ratio->low < 199.0 / 252);
  CHECK(pairs.front().ratio->low > 0.75);
  CHECK(pairs.front().ratio->high < 0.83);
}

TEST_CASE("speeds of far contexts are not compared, and the reason is said") {
  const auto pairs = pairs_of({reading(8, 252, 0, 2000), reading(8, 199, 3, 30000)});
  REQUIRE(pairs.size() == 1);
  CHECK_FALSE(pairs.front().ratio);
  CHECK(pairs.front().reason.starts_with("context "));
}

TEST_CASE("a plain speed of another batch is no partner") {
  const auto pairs = pairs_of({reading(1, 90, 0), reading(8, 199, 3)});
  REQUIRE(pairs.size() == 1);
  CHECK_FALSE(pairs.front().ratio);
  CHECK(binding_pair(question(), pairs, chain_point(8, 3, 1024)) == nullptr);
}

TEST_CASE("each batch has its own pair, and it binds its own drafts and context alone") {
  const auto pairs = pairs_of({reading(1, 90, 0, 2000), reading(8, 455, 0, 2000), reading(1, 120, 3, 2000),
                               reading(8, 372, 3, 2000)});
  REQUIRE(pairs.size() == 2);
  const SpecMeasured* pair = binding_pair(question(), pairs, chain_point(8, 3, 2100));
  REQUIRE(pair != nullptr);
  CHECK(pair->speculative_tokens_s == 372);
  CHECK(binding_pair(question(), pairs, chain_point(8, 2, 2100)) == nullptr);
  CHECK(binding_pair(question(), pairs, chain_point(4, 3, 2100)) == nullptr);
  CHECK(binding_pair(question(), pairs, chain_point(8, 3, 8000)) == nullptr);
}

TEST_CASE("a speed without a spread has 3 % of its own") {
  SpeedReading plain = reading(8, 100, 0);
  plain.spread.reset();
  CHECK(relative_error(plain) == Catch::Approx(0.03));
}

TEST_CASE("a pair of another acceptance length than the one that is asked about decides nothing") {
  SpeedReading with = reading(8, 372, 3);
  with.length = 2.4;
  const auto pairs = pairs_of({reading(8, 455, 0), with});
  Inquiry inquiry = question();
  inquiry.acceptance = KnownAcceptance{Acceptance::from_length(2.4, 3), Origin::measured, 0, ""};
  CHECK(binding_pair(inquiry, pairs, chain_point(8, 3, 1024)) != nullptr);
  inquiry.acceptance->acceptance = Acceptance::from_length(3.4, 3);
  CHECK(binding_pair(inquiry, pairs, chain_point(8, 3, 1024)) == nullptr);
}

TEST_CASE("a speed that no server has is no partner") {
  const auto pairs = pairs_of({reading(8, 1e9, 0), reading(8, 372, 3)});
  REQUIRE(pairs.size() == 1);
  CHECK_FALSE(pairs.front().ratio);
  CHECK(pairs.front().reason.find("no server") != std::string::npos);
}
