#include "sweep/time_shares.hpp"

#include <array>

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
constexpr std::array<std::size_t, 3> kGroups = {0, 1, 2};

Plan plan_with(std::chrono::nanoseconds budget, bool firm_budget = true) {
  SweepRequest request;
  request.budget = budget;
  request.firm_budget = firm_budget;
  request.launches = 3;
  return scripted_plan({&kRing}, {2_KiB, 4_KiB}, request);
}

// Both groups are as long in a later launch: what is compared stays small.
void note(TimeShares& shares, std::size_t group, std::chrono::nanoseconds round) {
  shares.note_group(1, group, 0s, round);
}

}  // namespace

TEST_CASE("what is over when every group has its fewest rounds is divided equally") {
  const Plan plan = plan_with(102s);
  TimeShares shares(plan);
  note(shares, 0, 100ms);
  note(shares, 1, 900ms);
  shares.note_launch(1s);
  // The end takes 1 s. A launch takes 11 rounds of 1 s, and 1 s to start: 66 s are over for six groups.
  const auto first = shares.slice(0, std::span(kGroups).first(2), 2, 0s);
  REQUIRE(first);
  CHECK(std::chrono::duration<double>(first->share).count() == Catch::Approx(1.1 + 66.0 / 6));
  // It may take what the other group of the launch does not need.
  CHECK(std::chrono::duration<double>(first->limit).count() == Catch::Approx(101 - 9.9));
}

TEST_CASE("a short group does not take the time that a long one needs in a later launch") {
  const Plan plan = plan_with(33s);
  TimeShares shares(plan);
  note(shares, 0, 100ms);
  note(shares, 1, 900ms);
  CHECK(shares.slice(1, std::span(kGroups).first(2), 1, 11s)->share == 1100ms);
}

TEST_CASE("where not all groups can have all launches, those that fit have them") {
  const Plan plan = plan_with(20s);
  TimeShares shares(plan);
  note(shares, 0, 100ms);
  note(shares, 1, 900ms);
  // Some 8 s are left: two launches of the short group fit, none of the long one.
  CHECK(shares.slice(1, std::span(kGroups).first(2), 1, 11s));
  CHECK_FALSE(shares.slice(1, std::span(kGroups).subspan(1, 1), 1, 12s));
  // What is left behind the last launch of all is for anybody.
  CHECK(shares.slice(1, std::span(kGroups).subspan(1, 1), 0, 13s));
}

TEST_CASE("a group that fits only once does not take what others need for their later launches") {
  const Plan plan = plan_with(23s);
  TimeShares shares(plan);
  note(shares, 0, 100ms);
  note(shares, 1, 900ms);
  // 10.5 s are left: enough for the long group's 9.9 s, but then not for the short one's last launch.
  CHECK_FALSE(shares.slice(1, std::span(kGroups).subspan(1, 1), 1, 12s));
  CHECK(shares.slice(1, std::span(kGroups).subspan(1, 1), 1, 10s));
}

TEST_CASE("where a first launch can't have the fewest rounds, what there is goes by what each needs") {
  const Plan plan = plan_with(6s);
  TimeShares shares(plan);
  note(shares, 0, 100ms);
  note(shares, 1, 900ms);
  const auto first = shares.slice(0, std::span(kGroups).first(2), 2, 0s);
  const auto second = shares.slice(0, std::span(kGroups).subspan(1, 1), 2, first->limit);
  REQUIRE(second);
  CHECK(second->limit > first->limit);
  CHECK(first->limit + second->limit <= 6s);
}

TEST_CASE("a budget that is not firm lets the first launch end, whatever it takes") {
  const Plan plan = plan_with(1s, false);
  const TimeShares shares(plan);
  CHECK(shares.slice(0, std::span(kGroups).first(1), 2, 100s)->limit == std::chrono::nanoseconds::max());
}

TEST_CASE("before anything is known more time is kept back for a large message than for a small one") {
  SweepRequest request;
  request.budget = 60s;
  const Plan small = scripted_plan({&kRing}, {2_KiB, 4_KiB}, request);
  const Plan large = scripted_plan({&kRing}, {2_KiB, 64_MiB}, request);
  const auto share = [](const Plan& plan) {
    return TimeShares(plan).slice(0, std::span(kGroups).first(2), 2, 0s)->share;
  };
  CHECK(share(large) < share(small));
}

TEST_CASE("groups that took longer than guessed make the guesses at the others longer") {
  SweepRequest request;
  request.budget = 60s;
  const Plan plan = scripted_plan({&kRing}, {2_KiB, 4_KiB, 64_MiB}, request);
  TimeShares as_guessed(plan);
  TimeShares slow(plan);
  as_guessed.note_group(0, 0, 1ms, 1ms);
  slow.note_group(0, 0, 100ms, 100ms);
  CHECK(slow.whole_launch() > 2 * as_guessed.whole_launch());
}

TEST_CASE("a forecast names what a budget would leave out, and what would do for all") {
  SweepRequest request;
  request.budget = 2s;
  request.firm_budget = true;
  const Plan plan = scripted_plan({&kRing}, {2_KiB, 4_KiB, 1024_MiB}, request);
  const Forecast expected = forecast(plan);
  CHECK(expected.left_out == std::vector<std::size_t>{2});
  CHECK(expected.time <= 2s);
  Plan roomy = plan;
  roomy.request.budget = expected.whole_budget + 1s;
  CHECK(forecast(roomy).left_out.empty());
}
