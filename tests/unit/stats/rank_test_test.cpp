#include "stats/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/catch.hpp"

using namespace ringside;

namespace {

using Values = std::vector<double>;

// Twice the rank sum of the chosen values, ties sharing their ranks.
double doubled_rank_sum(const Values& all, const std::vector<bool>& chosen) {
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!chosen[i]) continue;
    for (const double other : all) sum += other < all[i] ? 2 : other == all[i] ? 1 : 0;
  }
  return sum;
}

// The same probabilities by going through every way to call as many of the values `now`.
RankTest brute_force(const Values& base, const Values& now) {
  Values all = base;
  all.insert(all.end(), now.begin(), now.end());
  std::vector<bool> chosen(all.size(), false);
  std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(base.size()), chosen.end(), true);
  const double seen = doubled_rank_sum(all, chosen);
  double count = 0, high = 0, low = 0;
  do {
    const double sum = doubled_rank_sum(all, chosen);
    ++count;
    if (sum >= seen) ++high;
    if (sum <= seen) ++low;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return {high / count, low / count};
}

Values random_values(std::mt19937_64& random, std::size_t count, int distinct) {
  std::uniform_int_distribution<int> pick(1, distinct);
  Values values(count);
  for (double& value : values) value = pick(random);
  return values;
}

}  // namespace

TEST_CASE("the rank test gives the probabilities of counting every arrangement, with and without ties") {
  std::mt19937_64 random(11);
  const int distinct = GENERATE(3, 12, 1000000);
  for (std::size_t m = 1; m <= 6; ++m) {
    for (std::size_t n = 1; n <= 6; ++n) {
      const Values base = random_values(random, m, distinct);
      const Values now = random_values(random, n, distinct);
      const RankTest exact = rank_test(base, now);
      const RankTest counted = brute_force(base, now);
      CHECK(exact.p_slower == Catch::Approx(counted.p_slower));
      CHECK(exact.p_faster == Catch::Approx(counted.p_faster));
    }
  }
}

TEST_CASE("five launches that are all slower than five others have a probability of 1 in 252") {
  const RankTest test = rank_test(Values{1, 2, 3, 4, 5}, Values{6, 7, 8, 9, 10});
  CHECK(test.p_slower == Catch::Approx(1.0 / 252));
  CHECK(test.p_faster == Catch::Approx(1.0));
}

TEST_CASE("beyond what can be counted the rank test goes on smoothly") {
  Values base, now;
  for (int i = 0; i < 28; ++i) {
    base.push_back(100 + i);
    now.push_back(104.5 + i);
  }
  const RankTest counted = rank_test(base, now);
  base.push_back(128);
  now.push_back(132.5);
  const RankTest approximated = rank_test(base, now);
  CHECK(counted.p_slower > 0.01);
  CHECK(approximated.p_slower == Catch::Approx(counted.p_slower).epsilon(0.1));
}

TEST_CASE("nothing to compare is no evidence") {
  CHECK(rank_test(Values{}, Values{1, 2}).p_slower == 1);
  CHECK_FALSE(hodges_lehmann(Values{}, Values{1}, 0.05).interval);
}

TEST_CASE("the ratio is the median of all pairwise ratios") {
  CHECK(hodges_lehmann(Values{10, 20, 40}, Values{11, 22, 44}, 0.05).ratio == Catch::Approx(1.1));
  CHECK(hodges_lehmann(Values{1, 2}, Values{4}, 0.05).ratio == Catch::Approx(std::sqrt(8.0)));
  // One wild launch of five moves it little.
  CHECK(hodges_lehmann(Values{100, 101, 102, 103, 104}, Values{100, 101, 102, 103, 900}, 0.05).ratio ==
        Catch::Approx(1).margin(0.011));
}

TEST_CASE("the interval holds just the ratios that neither one-sided test rejects") {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> time(0, 0.1);
  for (std::size_t launches = 3; launches <= 7; ++launches) {
    Values base(launches), now(launches + launches % 2);
    for (double& value : base) value = time(random);
    for (double& value : now) value = time(random);
    const auto interval = hodges_lehmann(base, now, 0.05).interval;
    REQUIRE(interval);
    const auto rejects = [&](double ratio) {
      Values scaled = base;
      for (double& value : scaled) value *= ratio;
      const RankTest test = rank_test(scaled, now);
      return test.p_slower <= 0.05 || test.p_faster <= 0.05;
    };
    CHECK(rejects(interval->low * 0.9999));
    CHECK_FALSE(rejects(interval->low * 1.0001));
    CHECK_FALSE(rejects(interval->high * 0.9999));
    CHECK(rejects(interval->high * 1.0001));
  }
}

TEST_CASE("below three against three there is no interval") {
  CHECK_FALSE(hodges_lehmann(Values{1, 2}, Values{1, 2, 3}, 0.05).interval);
  CHECK(hodges_lehmann(Values{1, 2, 3}, Values{1, 2, 3}, 0.05).interval);
}
