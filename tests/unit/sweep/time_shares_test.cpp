#include "sweep/time_shares.hpp"

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");

Plan plan_with(std::chrono::nanoseconds budget, int launches = 3) {
  SweepRequest request;
  request.budget = budget;
  request.launches = launches;
  return scripted_plan({&kRing}, {2_KiB, 4_KiB}, request);
}

}  // namespace

TEST_CASE("what is over when every group has its fewest rounds is divided equally") {
  const Plan plan = plan_with(60s);
  TimeShares shares(plan);
  shares.note_group(0, 1s);
  shares.note_group(1, 9s);
  shares.note_launch(1s);
  // Three launches of 10 s each, two more starts of ranks, and the first one took 2 s: 26 s are over for six
  // groups.
  const auto over = std::chrono::nanoseconds(60s - 2s - 3 * 10s - 2s) / 6;
  CHECK(shares.share(0, 0, 2s) == 1s + over);
  CHECK(shares.share(0, 1, 2s) > 9s);
}

TEST_CASE("a short group does not take the time that a long one needs in a later launch") {
  const Plan plan = plan_with(33s);
  TimeShares shares(plan);
  shares.note_group(0, 1s);
  shares.note_group(1, 9s);
  CHECK(shares.share(1, 0, 13s) == 1s);
}

TEST_CASE("a launch fits when its fewest rounds and its start do") {
  const Plan plan = plan_with(30s);
  TimeShares shares(plan);
  shares.note_group(0, 5s);
  shares.note_group(0, 2s);  // brief verification in later launches
  shares.note_group(1, 7s);
  shares.note_launch(1s);
  CHECK(shares.fits_another_launch(20s));
  CHECK_FALSE(shares.fits_another_launch(20s + 1ms));
}

TEST_CASE("before anything is known more time is kept back for a large message than for a small one") {
  SweepRequest request;
  request.budget = 60s;
  const Plan small = scripted_plan({&kRing}, {2_KiB, 4_KiB}, request);
  const Plan large = scripted_plan({&kRing}, {2_KiB, 64_MiB}, request);
  CHECK(TimeShares(large).share(0, 0, 0s) < TimeShares(small).share(0, 0, 0s));
}

TEST_CASE("groups that took longer than guessed make the guesses at the others longer") {
  SweepRequest request;
  request.budget = 60s;
  const Plan plan = scripted_plan({&kRing}, {2_KiB, 4_KiB, 64_MiB}, request);
  TimeShares as_guessed(plan);
  TimeShares slow(plan);
  as_guessed.note_group(0, 1ms);
  slow.note_group(0, 1s);
  CHECK(slow.share(0, 1, 1s) < as_guessed.share(0, 1, 1s));
}
