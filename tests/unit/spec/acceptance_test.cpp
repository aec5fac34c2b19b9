#include "spec/acceptance.hpp"

#include <cmath>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a constant rate gives the geometric sum") {
  for (const double rate : {0.1, 0.5, 0.9}) {
    for (const int levels : {1, 3, 7}) {
      const double closed = (1 - std::pow(rate, levels + 1)) / (1 - rate);
      CHECK(Acceptance::from_rate(rate).tokens(levels) == Catch::Approx(closed));
    }
  }
}

TEST_CASE("at the limits nothing or everything is accepted") {
  CHECK(Acceptance::from_rate(0).tokens(5) == 1);
  CHECK(Acceptance::from_rate(1).tokens(5) == 6);
  CHECK(Acceptance::from_rate(0.7).tokens(0) == 1);
}

TEST_CASE("shares by position add up to the length that they are a list of") {
  const Acceptance acceptance = Acceptance::from_marginals({0.8, 0.6, 0.45});
  CHECK(acceptance.tokens(3) == Catch::Approx(1 + 0.8 + 0.6 + 0.45));
  CHECK(acceptance.tokens(1) == Catch::Approx(1.8));
  CHECK(acceptance.conditional(1) == Catch::Approx(0.75));
  // Behind the list the last rate holds: 0.45 / 0.6.
  CHECK(acceptance.tokens(4) == Catch::Approx(2.85 + 0.45 * 0.75));
}

TEST_CASE("a length is met by the rate that is found for it") {
  for (const double length : {1.0, 1.7, 2.5, 3.99, 4.0}) {
    CHECK(Acceptance::from_length(length, 3).tokens(3) == Catch::Approx(length).margin(1e-9));
  }
}

TEST_CASE("more levels never give fewer tokens, and a higher rate never does") {
  for (int step = 0; step < 20; ++step) {
    const double rate = step / 20.0;
    for (int levels = 0; levels < 12; ++levels) {
      CHECK(Acceptance::from_rate(rate).tokens(levels + 1) >= Acceptance::from_rate(rate).tokens(levels));
      CHECK(Acceptance::from_rate(rate + 0.05).tokens(levels) >= Acceptance::from_rate(rate).tokens(levels));
    }
  }
}

TEST_CASE("what can be no acceptance is refused") {
  CHECK_THROWS_AS(Acceptance::from_rate(1.2), UsageError);
  CHECK_THROWS_AS(Acceptance::from_rate(-0.1), UsageError);
  CHECK_THROWS_AS(Acceptance::from_length(0.5, 3), UsageError);
  CHECK_THROWS_AS(Acceptance::from_length(4.5, 3), UsageError);
  CHECK_THROWS_AS(Acceptance::from_marginals({0.5, 0.6}), UsageError);
  CHECK_THROWS_AS(Acceptance::from_marginals({}), UsageError);
}
