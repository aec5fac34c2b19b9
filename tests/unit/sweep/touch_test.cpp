#include "sweep/touch.hpp"

#include "support/catch.hpp"
#include "sweep/candidate_results.hpp"

using namespace ringside;

namespace {

LaunchSamples samples_of(std::vector<double> samples_ns) {
  LaunchSamples samples;
  samples.samples_ns = std::move(samples_ns);
  return samples;
}

}  // namespace

TEST_CASE("touching is taken off by the rounds that were not disturbed") {
  LaunchSamples samples = samples_of({1100, 1120});
  CHECK(take_touch_off({100, 90000, 100}, {1}, samples) == TouchOutcome::taken_off);
  CHECK(samples.samples_ns == std::vector<double>{1000, 1020});
  CHECK(samples.touch_ns == 100);
}

TEST_CASE("a launch without an undisturbed round has the least touching taken off") {
  LaunchSamples samples = samples_of({1100, 1120});
  CHECK(take_touch_off({90000, 200}, {0, 1}, samples) == TouchOutcome::taken_off);
  CHECK(samples.touch_ns == 200);
}

TEST_CASE("a time no longer than the touching is wrong, unless something else had the cores") {
  LaunchSamples samples = samples_of({1100, 1120});
  CHECK(take_touch_off({2000, 2000}, {}, samples) == TouchOutcome::no_time_left);
  CHECK(take_touch_off({2000, 2000}, {0, 1}, samples) == TouchOutcome::not_known);
  CHECK(samples.samples_ns.front() == 1100);
}

TEST_CASE("a touching that is longer than many of the samples is not taken off") {
  LaunchSamples samples = samples_of({1100, 1120, 40, 50, 1090, 1080, 1110, 1130});
  CHECK(take_touch_off({60, 60}, {0}, samples) == TouchOutcome::not_known);
  CHECK_FALSE(samples.touch_ns.has_value());
}

TEST_CASE("touching is the same work for all candidates, so one that was disturbed does not count alone") {
  const std::vector<Candidate> three(3);
  const std::vector<std::vector<double>> touches = {{100, 110}, {120, 6900}, {110, 120}};
  CHECK(touches_of(three, touches, 1, 2) == std::vector<double>{110, 120});
  std::vector<Candidate> slowed = three;
  slowed[1].slowdown = 2;
  CHECK(touches_of(slowed, touches, 1, 2) == std::vector<double>{120, 6900});
}
