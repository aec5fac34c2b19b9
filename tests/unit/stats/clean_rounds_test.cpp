#include "stats/clean_rounds.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace ringside;

namespace {

// Ten rounds of two samples: 1000 and 1002, in disturbed ones 9000.
LaunchSamples launch(std::vector<int> disturbed) {
  LaunchSamples launch;
  launch.samples_per_round = 2;
  for (int round = 0; round < 10; ++round) {
    const bool slow = std::count(disturbed.begin(), disturbed.end(), round) > 0;
    launch.samples_ns.insert(launch.samples_ns.end(), {slow ? 9000.0 : 1000.0, slow ? 9000.0 : 1002.0});
  }
  launch.disturbed_rounds = std::move(disturbed);
  return launch;
}

}  // namespace

TEST_CASE("a disturbed round has no median, and the others keep their places") {
  const std::vector<double> medians = clean_round_medians(launch({1, 9}));
  REQUIRE(medians.size() == 10);
  CHECK(medians[0] == 1001);
  CHECK(medians[1] == 0);
  CHECK(medians[9] == 0);
  CHECK(clean_rounds(launch({1, 9})) == 8);
}

TEST_CASE("undisturbed rounds stand for a launch where there are six of them, else all do") {
  CHECK(standing_samples(launch({0, 1, 2, 3})).size() == 12);
  CHECK(standing_samples(launch({0, 1, 2, 3})).front() == 1000);
  CHECK(standing_samples(launch({0, 1, 2, 3, 4})).size() == 20);
  CHECK(standing_samples(launch({})).size() == 20);
}

TEST_CASE("a disturbed round that the launch does not have changes nothing") {
  CHECK(clean_rounds(launch({12, -1})) == 10);
}
