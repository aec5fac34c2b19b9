#include "spec/acceptance.hpp"

#include <cmath>
#include <numeric>

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

TEST_CASE("shares by position add up to the length that they are a list of, and decay behind it") {
  const Acceptance acceptance = Acceptance::from_marginals({0.8, 0.6, 0.45});
  CHECK(acceptance.tokens(3) == Catch::Approx(1 + 0.8 + 0.6 + 0.45));
  CHECK(acceptance.tokens(1) == Catch::Approx(1.8));
  CHECK(acceptance.conditional(1) == Catch::Approx(0.75));
  // Behind the list p' = 0.8 p + 0.1, never the last rate (0.75) held.
  CHECK(acceptance.conditional(3) == Catch::Approx(0.8 * 0.75 + 0.1));
  CHECK(acceptance.conditional(4) == Catch::Approx(0.8 * 0.7 + 0.1));
  CHECK(acceptance.tokens(4) == Catch::Approx(2.85 + 0.45 * 0.7));
}

TEST_CASE("the band is narrow where positions were measured and grows with the root of those behind") {
  const Acceptance acceptance = Acceptance::from_marginals({0.8, 0.6, 0.45});
  CHECK(acceptance.sigma(3) <= 0.01);
  CHECK(acceptance.sigma(4) == Catch::Approx(0.04).epsilon(0.05));
  CHECK(acceptance.sigma(7) == Catch::Approx(0.08).epsilon(0.05));
  CHECK(Acceptance::from_marginals({0.8}).sigma(2) > acceptance.sigma(4));
}

TEST_CASE("a length is met by the rates that are found for it") {
  for (const double length : {1.0, 1.7, 2.5, 3.99, 4.0}) {
    const Acceptance acceptance = Acceptance::from_length(length, 3);
    CHECK(acceptance.tokens(3) == Catch::Approx(length).margin(1e-9));
    CHECK(acceptance.conditional(2) <= acceptance.conditional(0));
  }
  const Acceptance acceptance = Acceptance::from_length(2.4, 3);
  CHECK(acceptance.conditional(1) / acceptance.conditional(0) == Catch::Approx(0.95));
  CHECK(acceptance.conditional(5) / acceptance.conditional(4) == Catch::Approx(0.95));
}

TEST_CASE("more levels never give fewer tokens, and a higher rate never does") {
  for (int step = 0; step < 20; ++step) {
    const double rate = step / 20.0;
    for (int levels = 0; levels < 12; ++levels) {
      CHECK(Acceptance::from_rate(rate).tokens(levels + 1) >= Acceptance::from_rate(rate).tokens(levels));
      CHECK(Acceptance::from_rate(rate + 0.05).tokens(levels) >= Acceptance::from_rate(rate).tokens(levels));
      CHECK(Acceptance::from_marginals({0.8, rate * 0.8}).tokens(levels + 1) >=
            Acceptance::from_marginals({0.8, rate * 0.8}).tokens(levels));
    }
  }
}

TEST_CASE("lengths of runs of their own are kept, also where they fall") {
  const Acceptance acceptance = Acceptance::from_lengths({1.84, 2.51, 3.01, 2.95});
  CHECK(acceptance.tokens(3) == 3.01);
  CHECK(acceptance.tokens(4) == 2.95);
  CHECK(acceptance.conditional(1) == Catch::Approx(0.67 / 0.84));
  CHECK(acceptance.conditional(3) == 0);
}

TEST_CASE("a published curve is a prior with its source") {
  const Acceptance curve = Acceptance::preset("golden:kimi-k2.5");
  CHECK(curve.tokens(3) == 2.88);
  CHECK(curve.is_prior());
  CHECK(curve.sigma(3) > 0.1);
  CHECK_FALSE(Acceptance::from_length(2.88, 3).is_prior());
  CHECK(Acceptance::preset("kimi-k2.5:on").tokens(3) == 2.88);
  CHECK(Acceptance::preset("kimi-k2.5:off").tokens(3) == 2.75);
  CHECK(curve.source().find("InferenceX") != std::string::npos);
  CHECK(Acceptance::preset_names().size() == 14);
  for (const std::string& name : Acceptance::preset_names())
    CHECK(Acceptance::preset(name).measured_levels() == 8);
}

// Errors of the lengths that a rule gives for 8 drafts from the first measured ones of each published curve.
TEST_CASE("the rule behind the measured positions errs as it was found to on the published curves") {
  for (const int measured : {1, 2, 3, 4, 5}) {
    double squares = 0;
    int count = 0;
    for (const std::string& name : Acceptance::preset_names()) {
      const Acceptance curve = Acceptance::preset(name);
      std::vector<double> lengths;
      for (int levels = 1; levels <= measured; ++levels) lengths.push_back(curve.tokens(levels));
      const Acceptance cut = Acceptance::from_lengths(lengths);
      for (int levels = measured + 1; levels <= 8; ++levels, ++count)
        squares += std::pow(std::log(cut.tokens(levels) / curve.tokens(levels)), 2);
    }
    const double error = std::sqrt(squares / count);
    const double found[] = {0, 0.098, 0.074, 0.050, 0.040, 0.042};
    CAPTURE(measured, error);
    CHECK(error < 1.35 * found[measured]);
  }
}

TEST_CASE("a tree is counted by its candidates, never a whole level for one of them") {
  const Acceptance tree = Acceptance::from_length(3.2, 3).with_width(4);
  CHECK(tree.tree_tokens(3, 12) == Catch::Approx(3.2));
  CHECK(tree.tree_tokens(3, 24) == Catch::Approx(3.2));  // more than were measured add nothing
  double before = tree.tree_tokens(3, 3);
  CHECK(before < 3.0);  // a chain of the same draft is accepted less
  for (int candidates = 4; candidates <= 12; ++candidates) {
    const double now = tree.tree_tokens(3, candidates);
    CAPTURE(candidates);
    CHECK(now > before);
    CHECK(now - before < 0.25);  // no step as large as a level
    before = now;
  }
  CHECK(tree.tree_tokens(3, 1) < 2);
  CHECK(tree.tree_tokens(0, 0) == 1);
}

TEST_CASE("what can be no acceptance is refused") {
  CHECK_THROWS_AS(Acceptance::from_rate(1.2), UsageError);
  CHECK_THROWS_AS(Acceptance::from_rate(-0.1), UsageError);
  CHECK_THROWS_AS(Acceptance::from_length(0.5, 3), UsageError);
  CHECK_THROWS_AS(Acceptance::from_length(4.5, 3), UsageError);
  CHECK_THROWS_AS(Acceptance::from_marginals({0.5, 0.6}), UsageError);
  CHECK_THROWS_AS(Acceptance::from_marginals({}), UsageError);
  CHECK_THROWS_AS(Acceptance::from_lengths({}), UsageError);
  CHECK_THROWS_AS(Acceptance::from_lengths({2.5}), UsageError);
  CHECK_THROWS_AS(Acceptance::preset("golden:none-such"), UsageError);
  CHECK_THROWS_AS(Acceptance::preset("kimi-k2.5:sometimes"), UsageError);
}
