#include "gate/guards.hpp"

#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::LaunchedDocument;

namespace {

constexpr double kThreshold = 0.03;

// A row of three launches, each with these samples.
Row row(const std::vector<double>& samples) {
  LaunchedDocument made;
  Row row = made.row(2_KiB, {1, 1, 1});
  for (LaunchSamples& launch : row.launches) launch.samples_ns = samples;
  return row;
}

std::vector<double> samples(double (*at)(int)) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(at(i));
  return values;
}

Row steady() {
  return row(samples([](int i) { return 1000.0 + i * 7 % 10; }));
}

Row clocked(unsigned low, unsigned high, std::vector<std::string> held_by = {}) {
  Row made = steady();
  made.clocks = ClockRecord{low, high, std::move(held_by)};
  return made;
}

}  // namespace

TEST_CASE("steady launches leave no doubt") {
  CHECK(quality_issue(steady(), steady(), kThreshold, Sides::apart).empty());
}

TEST_CASE("a trend within the launches is a quality_issue where it exceeds the threshold") {
  const Row rising = row(samples([](int i) { return 1000.0 + 4 * i; }));
  CHECK_THAT(quality_issue(steady(), rising, kThreshold, Sides::apart),
             ContainsSubstring("drift") && ContainsSubstring("new result"));
  CHECK_THAT(quality_issue(rising, steady(), kThreshold, Sides::apart), ContainsSubstring("base"));
  CHECK(quality_issue(steady(), rising, 0.2, Sides::apart).empty());
}

TEST_CASE("samples in two clusters are a doubt") {
  const Row two = row(samples([](int i) { return (i % 2 == 0 ? 1000.0 : 1200.0) + i % 5; }));
  CHECK_THAT(quality_issue(steady(), two, kThreshold, Sides::apart), ContainsSubstring("two clusters"));
  CHECK(quality_issue(steady(), two, 0.5, Sides::apart).empty());
}

TEST_CASE("a link whose floor moved is a quality_issue, whatever the strategies did") {
  const auto with_floor = [](std::optional<double> floor_ns) {
    Row made = steady();
    made.floor_ns = floor_ns;
    return made;
  };
  CHECK(quality_issue(with_floor(47), with_floor(150), kThreshold, Sides::apart) ==
        "the link itself differs: 0.0470 us at best in the base, 0.150 us now");
  CHECK_THAT(quality_issue(with_floor(150), with_floor(47), kThreshold, Sides::apart),
             ContainsSubstring("the link itself"));
  CHECK(quality_issue(with_floor(47), with_floor(76), kThreshold, Sides::apart).empty());
  CHECK(quality_issue(with_floor(47), with_floor(150), kThreshold, Sides::in_turn).empty());
  CHECK(quality_issue(with_floor({}), with_floor(150), kThreshold, Sides::apart).empty());
}

TEST_CASE("a link that moved between the launches of a side is a quality_issue, one launch aside") {
  const auto with_floors = [](std::vector<double> floors) {
    Row made = steady();
    made.floor_ns = *std::ranges::min_element(floors);
    made.launches.resize(1);
    made.launches.resize(floors.size(), made.launches.front());
    for (std::size_t i = 0; i < floors.size(); ++i) made.launches[i].floor_ns = floors[i];
    return made;
  };
  const Row quiet = with_floors({150, 152, 149, 151, 150});
  CHECK(quality_issue(with_floors({50, 150, 51, 150, 150}), quiet, kThreshold, Sides::apart) ==
        "the link itself changed between the launches of the base: 0.0510 to 0.150 us at best");
  CHECK_THAT(quality_issue(quiet, with_floors({50, 150, 51, 150, 150}), kThreshold, Sides::apart),
             ContainsSubstring("launches of the new result"));
  CHECK(quality_issue(with_floors({50, 150, 151, 150, 150}), quiet, kThreshold, Sides::apart).empty());
  CHECK_THAT(quality_issue(with_floors({50, 51, 150, 50, 52}), quiet, kThreshold, Sides::apart),
             ContainsSubstring("differs: 0.0510 us at best in the base, 0.150 us now"));
  Row earlier = steady();  // of a version that kept the least alone
  earlier.floor_ns = 140;
  CHECK(quality_issue(earlier, with_floors({141, 200, 201, 202, 200}), kThreshold, Sides::apart).empty());
}

TEST_CASE("a shape that is small beside the change does not matter") {
  ComparisonStage stage;
  CHECK(shift_that_matters(stage, 0.03) == 0.03);
  stage.ratio = 1.02;
  CHECK(shift_that_matters(stage, 0.03) == 0.03);
  stage.ratio = 2;
  CHECK(shift_that_matters(stage, 0.03) == 0.5);
  stage.ratio = 0.5;
  CHECK(shift_that_matters(stage, 0.03) == 0.5);
}

TEST_CASE("clusters that can make the whole change are a quality_issue, however large it is") {
  const Row both = row(samples([](int i) { return (i % 3 == 0 ? 1000.0 : 3000.0) + i % 5; }));
  ComparisonStage stage;
  stage.ratio = 3;
  CHECK_THAT(quality_issue(steady(), both, shift_that_matters(stage, kThreshold), Sides::apart),
             ContainsSubstring("two clusters"));
  stage.ratio = 1 / 3.0;
  CHECK_THAT(quality_issue(both, steady(), shift_that_matters(stage, kThreshold), Sides::in_turn),
             ContainsSubstring("two clusters"));
}

TEST_CASE("one strange launch of three is no doubt") {
  Row one = steady();
  one.launches[0].samples_ns = samples([](int i) { return 1000.0 + 4 * i; });
  CHECK(quality_issue(steady(), one, kThreshold, Sides::apart).empty());
}

TEST_CASE("clocks that were held down, or differ by more than 2 %, are a doubt") {
  CHECK(quality_issue(clocked(1980, 1980), clocked(1965, 1980), kThreshold, Sides::apart).empty());
  CHECK_THAT(quality_issue(clocked(1980, 1980), clocked(1755, 1755), kThreshold, Sides::apart),
             ContainsSubstring("SM clocks differ"));
  CHECK_THAT(quality_issue(clocked(1980, 1980), clocked(1980, 1980, {"software power cap"}), kThreshold,
                           Sides::apart),
             ContainsSubstring("software power cap"));
}

TEST_CASE("another process on a GPU is a quality_issue about everything") {
  LaunchedDocument alone, shared;
  shared.document.machine.facts.emplace_back("gpu1_other_processes", "4711");
  CHECK(quality_issue(alone.document, alone.document).empty());
  CHECK_THAT(quality_issue(alone.document, shared.document), ContainsSubstring("new result"));
  CHECK_THAT(quality_issue(shared.document, alone.document), ContainsSubstring("base"));
}

TEST_CASE("times of fresh inputs are not judged by times of warm ones") {
  Row warm = steady();
  Row fresh = steady();
  CHECK(quality_issue(warm, fresh, kThreshold, Sides::in_turn).empty());
  fresh.input = InputState::fresh;
  CHECK(quality_issue(warm, fresh, kThreshold, Sides::in_turn) == "warm inputs in the base, fresh ones now");
  warm.input = InputState::fresh;
  CHECK(quality_issue(warm, fresh, kThreshold, Sides::in_turn).empty());
}
