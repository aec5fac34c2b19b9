#include "stats/verdict.hpp"

#include <random>
#include <vector>

#include "base/errors.hpp"
#include "support/catch.hpp"

using ringside::judge;
using ringside::PairedRounds;
using Kind = ringside::RatioVerdict::Kind;

namespace {

// `rounds` rounds in which b takes `ratio` times a's time, give or take `noise`.
PairedRounds rounds_with_ratio(double ratio, int rounds = 12, double noise = 0.001, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> jitter(1 - noise, 1 + noise);
  PairedRounds launch;
  for (int round = 0; round < rounds; ++round) {
    const double a = 1000.0 + 50.0 * round;  // a drift that both see
    launch.a_ns.push_back(a);
    launch.b_ns.push_back(a * ratio * jitter(random));
  }
  return launch;
}

PairedRounds swapped(const PairedRounds& launch) {
  return {launch.b_ns, launch.a_ns};
}

}  // namespace

TEST_CASE("a candidate that is faster in each of three launches wins") {
  const std::vector<PairedRounds> launches{rounds_with_ratio(1.05), rounds_with_ratio(1.08),
                                           rounds_with_ratio(1.2)};
  const auto verdict = judge(launches);
  CHECK(verdict.kind == Kind::a_wins);
  CHECK(verdict.ratio == Catch::Approx(1.08).margin(0.002));
  REQUIRE(verdict.launch_intervals.size() == 3);
  for (const auto& interval : verdict.launch_intervals) CHECK(interval);
}

TEST_CASE("naming the candidates the other way round mirrors the verdict") {
  // 1.0101 lies beyond 1 %, but its reciprocal only just lies under 1 / 1.01.
  for (const double ratio : {1.0101, 1.05, 1.0, 1.0099}) {
    const std::vector<PairedRounds> launches(3, rounds_with_ratio(ratio, 12, 0.0));
    std::vector<PairedRounds> mirrored;
    for (const auto& launch : launches) mirrored.push_back(swapped(launch));
    const Kind kind = judge(launches).kind;
    const Kind mirror = judge(mirrored).kind;
    CHECK(kind == (ratio > 1.01 ? Kind::a_wins : Kind::tie));
    CHECK(mirror == (ratio > 1.01 ? Kind::b_wins : Kind::tie));
  }
}

TEST_CASE("one launch that disagrees makes it a tie") {
  CHECK(judge(std::vector{rounds_with_ratio(1.1), rounds_with_ratio(1.1), rounds_with_ratio(1.005)}).kind ==
        Kind::tie);
  CHECK(judge(std::vector{rounds_with_ratio(1.1), rounds_with_ratio(1.1), rounds_with_ratio(0.9)}).kind ==
        Kind::tie);
}

TEST_CASE("fewer launches than asked for are a tie, however clear they are") {
  const std::vector<PairedRounds> two(2, rounds_with_ratio(2.0));
  CHECK(judge(two).kind == Kind::tie);
  CHECK(judge(two).ratio == Catch::Approx(2.0).margin(0.01));
  CHECK(judge(two, 0.01, 2).kind == Kind::a_wins);
  CHECK(judge({}, 0.01, 0).kind == Kind::tie);
}

TEST_CASE("an interval that reaches into the margin makes it a tie") {
  CHECK(judge(std::vector<PairedRounds>(3, rounds_with_ratio(1.03, 12, 0.2))).kind == Kind::tie);
}

TEST_CASE("a launch with too few rounds for an interval makes it a tie") {
  const std::vector<PairedRounds> launches{rounds_with_ratio(1.5), rounds_with_ratio(1.5),
                                           rounds_with_ratio(1.5, 1)};
  const auto verdict = judge(launches);
  CHECK(verdict.kind == Kind::tie);
  CHECK_FALSE(verdict.launch_intervals[2]);
}

TEST_CASE("equal times are a tie at a ratio of one") {
  const auto verdict = judge(std::vector<PairedRounds>(3, rounds_with_ratio(1.0, 12, 0.0)));
  CHECK(verdict.kind == Kind::tie);
  CHECK(verdict.ratio == 1.0);
}

TEST_CASE("rounds without a time are left out of the ratio") {
  auto launch = rounds_with_ratio(1.1);
  launch.a_ns[0] = 0;
  launch.b_ns[5] = 0;
  CHECK(judge(std::vector<PairedRounds>(3, launch)).kind == Kind::a_wins);
}

TEST_CASE("candidates with different numbers of rounds are a bug of the caller") {
  auto launch = rounds_with_ratio(1.1);
  launch.a_ns.pop_back();
  CHECK_THROWS_AS(judge(std::vector{launch}), ringside::InternalError);
}

TEST_CASE("two copies of the same strategy are called a tie in nearly all series") {
  // Within a launch the copies differ for good by up to 3 % (buffers, placement); the sign is drawn per
  // launch.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> placement(0.97, 1.03);
  int ties = 0;
  for (unsigned series = 0; series < 200; ++series) {
    std::vector<PairedRounds> launches;
    for (unsigned launch = 0; launch < 3; ++launch) {
      launches.push_back(rounds_with_ratio(placement(random), 15, 0.02, 3 * series + launch));
    }
    ties += judge(launches).kind == Kind::tie;
  }
  CHECK(ties >= 190);
}
