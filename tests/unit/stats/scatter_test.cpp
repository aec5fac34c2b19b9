#include "stats/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stats/rank_test.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

using Values = std::vector<double>;

Values launches(std::mt19937_64& random, std::size_t count, double deviation, double middle = 1) {
  std::lognormal_distribution<double> time(std::log(middle), deviation);
  Values values(count);
  for (double& value : values) value = time(random);
  return values;
}

}  // namespace

TEST_CASE("launches that are all alike have no scatter") {
  CHECK(halving_scatter(Values(10, 250.0), 0.99) == 0);
  CHECK(expected_scatter99(Values(5, 250.0), Values(5, 500.0)) == Catch::Approx(0).margin(1e-12));
}

TEST_CASE("the widest halving of four launches puts the two slow ones on one side") {
  CHECK(halving_scatter(Values{1, 1, 2, 2}, 1) == Catch::Approx(1.0));
  CHECK(halving_scatter(Values{2, 1, 1, 2}, 1) == Catch::Approx(1.0));  // in whatever order
}

TEST_CASE("more halvings than are looked at give nearly what all would") {
  std::mt19937_64 random(3);
  const Values few = launches(random, 12, 0.05);  // 924 halvings, all looked at
  Values many = few;                              // 3432: drawn
  many.push_back(1);
  many.push_back(1);
  CHECK(halving_scatter(many, 0.99) == Catch::Approx(halving_scatter(few, 0.99)).epsilon(0.35));
}

TEST_CASE("the expected scatter does not depend on what lies between the two sets") {
  std::mt19937_64 random(9);
  const Values base = launches(random, 5, 0.03);
  Values now = launches(random, 5, 0.03);
  const double alike = expected_scatter99(base, now);
  for (double& value : now) value *= 1.4;
  CHECK(expected_scatter99(base, now) == Catch::Approx(alike));
}

TEST_CASE("of a hundred pairs of unchanged sets one comes out beyond the expected scatter") {
  std::mt19937_64 random(17);
  const std::size_t size = GENERATE(3u, 5u, 7u);
  constexpr int kPairs = 20000;
  int beyond = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Values base = launches(random, size, 0.05);
    const Values now = launches(random, size, 0.05);
    const double ratio = hodges_lehmann(base, now, 0.05).ratio;
    if (std::max(ratio, 1 / ratio) - 1 > expected_scatter99(base, now)) ++beyond;
  }
  CHECK(beyond > kPairs / 200);
  CHECK(beyond < kPairs / 60);
}

TEST_CASE("a set of one launch has no scatter to go by") {
  CHECK(expected_scatter99(Values{1}, Values{1, 2, 3}) == 0);
}

TEST_CASE("of a hundred pairs of further times one comes out beyond the expected shift") {
  std::mt19937_64 random(23);
  const std::size_t times = GENERATE(3u, 5u, 8u);
  constexpr int kTrials = 20000;
  int beyond = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<Values> earlier = {launches(random, times, 0.05)};
    const Values two = launches(random, 2, 0.05);
    const double ratio = two[0] / two[1];
    if (std::max(ratio, 1 / ratio) - 1 > expected_shift99(earlier)->ratio99) ++beyond;
  }
  CHECK(beyond > kTrials / 200);
  CHECK(beyond < kTrials / 60);
}

TEST_CASE("sets of times are pooled, and two times are too few") {
  CHECK_FALSE(expected_shift99(std::vector<Values>{}));
  CHECK_FALSE(expected_shift99(std::vector<Values>{{1, 2}}));
  const auto pooled = expected_shift99(std::vector<Values>{{1, 1.1}, {4, 4.4}});
  CHECK(pooled->freedom == 2);
  CHECK(pooled->ratio99 == Catch::Approx(expected_shift99(std::vector<Values>{{7, 7.7}, {1, 1.1}})->ratio99));
  CHECK_FALSE(expected_shift99(std::vector<Values>{{1}, {2}, {3}}));
}
