#include "gate/calibration.hpp"

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "gate/floors.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace ringside;
using test::LaunchedDocument;

namespace {

LaunchedDocument launched() {
  LaunchedDocument made;
  made.document.machine.facts.emplace_back("distribution", "Debian \"12\"\\");
  made.row(2_KiB, {100, 101, 102, 103, 110, 111, 112, 113, 114, 120});
  made.row(4_KiB, {100, 100, 100, 100, 100, 100, 100, 100, 100, 100});
  made.row(8_KiB, {100, 101});
  return made;
}

}  // namespace

TEST_CASE("a calibration holds how far halves come apart, of every case with enough launches") {
  const LaunchedDocument made = launched();
  const Calibration calibration = calibrate(made.document);
  CHECK(calibration.launches == 5);
  CHECK(calibration.cases.size() == 2);
  const std::string noisy = case_key(made.document.rows[0].params);
  CHECK(*calibration.threshold(noisy, 5, Sides::apart) > 0.05);
  CHECK(*calibration.threshold(case_key(made.document.rows[1].params), 5, Sides::apart) == 0);
  CHECK_FALSE(calibration.threshold(case_key(made.document.rows[2].params), 5, Sides::apart));
}

TEST_CASE("fewer launches than were calibrated scatter more, more are given no credit") {
  Calibration calibration;
  calibration.launches = 8;
  calibration.cases["case"] = {{0.05}, {100}, {0}};
  CHECK(*calibration.threshold("case", 2, Sides::apart) == Catch::Approx(0.1));
  CHECK(*calibration.threshold("case", 30, Sides::apart) == Catch::Approx(0.05));
}

TEST_CASE("sides of different times need the threshold of what changes between times, sides in turn don't") {
  Calibration calibration;
  calibration.launches = 5;
  calibration.cases["two times"] = {{0.01, 0.02}, {100, 110}, {50, 50}};
  CHECK(*calibration.threshold("two times", 5, Sides::apart) == Catch::Approx(0.02));
  CHECK_FALSE(calibration.knows_runs("two times"));
  calibration.cases["three"] = {{0.01, 0.02, 0.01}, {100, 110, 105}, {50, 50, 50}};
  CHECK_FALSE(calibration.knows_runs("three"));
  CHECK(*calibration.threshold("three", 5, Sides::apart) > 0.5);  // three times tell little yet
  CHECK(*calibration.threshold("three", 5, Sides::in_turn) == Catch::Approx(0.02));
  calibration.cases["five"] = {{0, 0, 0, 0, 0}, {100, 110, 105, 104, 106}, {50, 50, 50, 50, 50}};
  CHECK(calibration.knows_runs("five"));
  CHECK(*calibration.threshold("five", 5, Sides::apart) < 0.3);
}

TEST_CASE("what changes between times is known for each state of the link by itself") {
  Calibration calibration;
  calibration.launches = 5;
  calibration.cases["case"] = {{0, 0, 0, 0}, {100, 400, 101, 404}, {50, 150, 51, 160}};
  CHECK(*calibration.threshold("case", 5, Sides::apart) < 0.15);
  calibration.cases["case"].floor_ns.assign(4, 0);  // nobody can tell the states apart
  CHECK(*calibration.threshold("case", 5, Sides::apart) > 5);
}

TEST_CASE("each calibration adds its time, and the oldest ones go") {
  const auto at = [](const char* date, std::vector<double> medians, Bytes bytes) {
    LaunchedDocument made;
    made.document.started = date;
    made.row(bytes, medians).floor_ns = 50;
    return calibrate(made.document);
  };
  const std::vector<double> steady = {100, 100, 100, 101, 101, 101};
  Calibration all = at("1", steady, 4_KiB);
  for (int i = 2; i <= 8; ++i) all = joined(all, at(std::to_string(i).c_str(), steady, 2_KiB));
  CHECK(all.measured.size() == 8);
  CHECK(all.cases.size() == 2);  // what the first time alone has measured is kept as long as that time is
  all = joined(all, at("9", steady, 2_KiB));
  CHECK(all.measured == std::vector<std::string>{"2", "3", "4", "5", "6", "7", "8", "9"});
  REQUIRE(all.cases.size() == 1);
  CHECK(all.cases.begin()->second.middle_ns == std::vector<double>(8, 100.5e3));
  CHECK(all.cases.begin()->second.floor_ns == std::vector<double>(8, 50));
  CHECK(to_toml(read_calibration({"x", "x", to_toml(all)})) == to_toml(all));
}

TEST_CASE("a time with fewer launches, as under load, costs none of the earlier ones") {
  const auto at = [](const char* date, std::vector<double> medians) {
    LaunchedDocument made;
    made.document.started = date;
    made.row(2_KiB, medians);
    return calibrate(made.document);
  };
  const Calibration whole = at("1", {100, 101, 102, 103, 110, 111, 112, 113, 114, 120});
  const Calibration few = at("2", {100, 100, 100, 101, 101, 101});
  const std::string key = whole.cases.begin()->first;
  for (const Calibration& all : {joined(whole, few), joined(few, whole)}) {
    CHECK(all.measured.size() == 2);
    CHECK(all.launches == 3);
    // No less than what either says of sides with so many launches.
    CHECK(*all.threshold(key, 3, Sides::in_turn) ==
          Catch::Approx(
              std::max(*whole.threshold(key, 3, Sides::in_turn), *few.threshold(key, 3, Sides::in_turn))));
  }
}

TEST_CASE("runs at the same time add up: each has its cases there, whichever stores first") {
  const auto at = [](const char* date, Bytes bytes, double median) {
    LaunchedDocument made;
    made.document.started = date;
    made.row(bytes, std::vector<double>(6, median));
    return calibrate(made.document);
  };
  const Calibration small = at("2026-11-30T18:00:00Z", 2_KiB, 100);
  const Calibration large = at("2026-11-30T18:01:00Z", 4_KiB, 200);
  for (const Calibration& all : {joined(small, large), joined(large, small)}) {
    CHECK(all.measured == std::vector<std::string>{"2026-11-30T18:01:00Z"});
    CHECK(all.cases.size() == 2);
  }
  const Calibration later = at("2026-11-30T19:00:00Z", 2_KiB, 300);
  const Calibration all = joined(joined(small, later), at("2026-11-30T18:30:00Z", 2_KiB, 200));
  CHECK(all.cases.begin()->second.middle_ns == std::vector<double>{100e3, 200e3, 300e3});
}

TEST_CASE("what has no part in a calibration is counted by its reason") {
  LaunchedDocument made = launched();
  made.row(16_KiB, std::vector<double>(10, 100)).status = Status::failed;
  CHECK(left_out_of_calibration(made.document) ==
        std::vector<std::string>{"1 case with fewer than 6 launches", "1 case that failed"});
}

TEST_CASE("launches between which the link moved say nothing about the case") {
  LaunchedDocument made = launched();
  for (LaunchSamples& launch : made.document.rows[0].launches) launch.floor_ns = launch.launch < 5 ? 50 : 150;
  CHECK(calibrate(made.document).cases.size() == 1);
  made.document.rows.resize(1);
  CHECK_THROWS_WITH(calibrate(made.document), Catch::Matchers::ContainsSubstring("do it again"));
}

TEST_CASE("some launches aside don't make a link that moved, whatever their number") {
  std::vector<double> floors(20, 150);
  CHECK_FALSE(moved_floors(floors));
  for (int i = 0; i < 4; ++i) floors[i] = 50;
  CHECK_FALSE(moved_floors(floors));
  floors[4] = 50;
  REQUIRE(moved_floors(floors));
  CHECK(moved_floors(floors)->low == 50);
  CHECK_FALSE(moved_floors({50, 100, 150}));
}

TEST_CASE("calibrating again at once is no other time") {
  const auto at = [](const char* date, double median) {
    LaunchedDocument made;
    made.document.started = date;
    made.row(2_KiB, std::vector<double>(6, median));
    return calibrate(made.document);
  };
  Calibration all = joined(at("2026-11-30T18:00:00Z", 100), at("2026-11-30T18:04:59Z", 110));
  CHECK(all.measured == std::vector<std::string>{"2026-11-30T18:04:59Z"});
  all = joined(all, at("2026-11-30T18:10:00Z", 120));
  all = joined(all, at("2026-11-30T18:11:00Z", 130));
  CHECK(all.measured.size() == 2);
  CHECK(all.cases.begin()->second.middle_ns == std::vector<double>{110e3, 130e3});
  CHECK(all.times(all.cases.begin()->first) == 2);
}

TEST_CASE("sets of times don't chain, and those without a floor are one of their own") {
  Calibration calibration;
  calibration.launches = 5;
  calibration.cases["chain"] = {{0, 0, 0, 0}, {100, 100, 400, 400}, {10, 15, 24, 36}};
  CHECK(*calibration.threshold("chain", 5, Sides::apart) < 0.01);
  calibration.cases["unknown"] = {{0, 0, 0, 0, 0}, {4000, 1000, 1000, 1000, 1000}, {0, 50, 50, 50, 50}};
  CHECK(*calibration.threshold("unknown", 5, Sides::apart) < 0.01);
  calibration.cases["huge"] = {{0, 0, 0}, {1e-300, 1e15, 1e15}, {0, 0, 0}};
  CHECK(*calibration.threshold("huge", 5, Sides::apart) == 1e9);
}

TEST_CASE("a calibration with a list of another length is refused with its place") {
  const std::string text =
      "measured = [\"a\", \"b\"]\nlaunches = 5\nmachine = \"m\"\n[facts]\n[[case]]\ncase = \"c\"\n"
      "ratio99 = [0.1, 0.1]\nmiddle_ns = [1]\nfloor_ns = [0, 0]\n";
  CHECK_THROWS_WITH(
      read_calibration({"x", "x.toml", text}),
      Catch::Matchers::StartsWith("x.toml:8") && Catch::Matchers::ContainsSubstring("2 numbers"));
}

TEST_CASE("too few launches are nothing to calibrate by") {
  LaunchedDocument made;
  made.row(2_KiB, {1, 2, 3, 4, 5});
  CHECK_THROWS_AS(calibrate(made.document), EnvironmentError);
}

TEST_CASE("a calibration that is read back is the one that was written") {
  const Calibration written = calibrate(launched().document);
  const Calibration read = read_calibration({"x", "x.toml", to_toml(written)});
  CHECK(to_toml(read) == to_toml(written));
  CHECK(read.origin == "x.toml");
  CHECK(machine_id(read.machine) == machine_id(launched().document.machine));
}

TEST_CASE("machines are told apart by what makes times differ, not by the state of the moment") {
  const Fingerprint box{"", {{"cpu", "EPYC"}, {"gpu0_uuid", "GPU-1"}, {"memory_available", "3 GiB"}}};
  Fingerprint later = box;
  later.facts[2].second = "1 GiB";
  later.facts.emplace_back("gpu0_other_processes", "4711");
  later.facts.emplace_back("fit", "nccl-auto to a sweep: 5 % off in the middle, 13 % at most");
  CHECK(differing_facts(box, later).empty());
  CHECK(machine_id(box) == machine_id(later));
  Fingerprint other = box;
  other.facts[1].second = "GPU-2";
  CHECK(differing_facts(box, other).size() == 1);
  CHECK(machine_id(box) != machine_id(other));
}
