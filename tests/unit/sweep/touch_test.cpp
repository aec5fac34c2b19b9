#include "sweep/touch.hpp"

#include "support/catch.hpp"

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
