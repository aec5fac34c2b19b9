#include "stats/stop_rule.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace std::chrono_literals;
using ringside::should_stop;
using ringside::StopReason;
using ringside::StopRule;

namespace {

using Medians = std::vector<double>;

// Alternates between 1 - spread and 1 + spread times 1000 ns.
Medians alternating(std::size_t rounds, double spread) {
  Medians medians(rounds);
  for (std::size_t i = 0; i < rounds; ++i) medians[i] = 1000 * (i % 2 == 0 ? 1 - spread : 1 + spread);
  return medians;
}

StopReason stop(const std::vector<Medians>& cases, std::chrono::nanoseconds elapsed = 1s,
                const StopRule& rule = {}) {
  const auto rounds = cases.empty() ? 0 : static_cast<int>(cases.front().size());
  return should_stop(rule, cases, {.rounds = rounds, .elapsed = elapsed, .share = 10s});
}

}  // namespace

TEST_CASE("nothing stops a group before its least number of rounds") {
  CHECK(stop({alternating(9, 0.0)}) == StopReason::none);
  CHECK(stop({alternating(9, 0.0)}, 60s) == StopReason::none);
  CHECK(stop({alternating(10, 0.0)}) == StopReason::interval);
}

TEST_CASE("a group stops when the interval of every case is narrow enough") {
  CHECK(stop({alternating(20, 0.005), alternating(20, 0.009)}) == StopReason::interval);
  CHECK(stop({alternating(20, 0.005), alternating(20, 0.011)}) == StopReason::none);
}

TEST_CASE("a group stops at its rounds limit") {
  CHECK(stop({alternating(199, 0.5)}) == StopReason::none);
  CHECK(stop({alternating(200, 0.5)}) == StopReason::rounds);
}

TEST_CASE("a rounds limit below the least number of rounds wins") {
  CHECK(stop({alternating(4, 0.5)}, 1s, {.min_rounds = 10, .max_rounds = 4}) == StopReason::rounds);
}

TEST_CASE("a group stops when its share of the budget is spent") {
  CHECK(stop({alternating(10, 0.5)}, 9999ms) == StopReason::none);
  CHECK(stop({alternating(10, 0.5)}, 10s) == StopReason::budget);
}

TEST_CASE("a narrow interval is the reason even when the budget or the rounds are spent too") {
  CHECK(stop({alternating(200, 0.001)}, 60s) == StopReason::interval);
}

TEST_CASE("too few rounds for an interval never count as narrow") {
  CHECK(stop({alternating(5, 0.0)}, 1s, {.min_rounds = 1}) == StopReason::none);
  CHECK(stop({alternating(6, 0.0)}, 1s, {.min_rounds = 1}) == StopReason::interval);
}

TEST_CASE("a group without a living case needs no further round") {
  CHECK(should_stop({}, {}, {.rounds = 0, .elapsed = 0s, .share = 10s}) == StopReason::interval);
}

TEST_CASE("disturbed rounds take time and settle nothing") {
  const std::vector<Medians> two_clean = {alternating(2, 0.0)};
  const StopRule rule;
  CHECK(should_stop(rule, two_clean, {.rounds = 50, .elapsed = 1s, .share = 10s}) == StopReason::none);
  CHECK(should_stop(rule, two_clean, {.rounds = 50, .elapsed = 10s, .share = 10s}) == StopReason::budget);
  CHECK(should_stop(rule, two_clean, {.rounds = 200, .elapsed = 1s, .share = 10s}) == StopReason::rounds);
}

TEST_CASE("at the limit of its time a group ends with one round") {
  const StopRule rule;
  const std::vector<Medians> none = {Medians{}};
  const std::vector<Medians> one = {alternating(1, 0.0)};
  CHECK(should_stop(rule, none, {.rounds = 0, .elapsed = 1s, .share = 10s, .at_limit = true}) ==
        StopReason::none);
  CHECK(should_stop(rule, one, {.rounds = 1, .elapsed = 1s, .share = 10s, .at_limit = true}) ==
        StopReason::budget);
}
