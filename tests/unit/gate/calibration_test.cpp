#include "gate/calibration.hpp"

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
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
  CHECK(calibration.ratio99.size() == 2);
  const std::string noisy = case_key(made.document.rows[0].params);
  CHECK(*calibration.threshold(noisy, 5) > 0.05);
  CHECK(*calibration.threshold(case_key(made.document.rows[1].params), 5) == 0);
  CHECK_FALSE(calibration.threshold(case_key(made.document.rows[2].params), 5));
}

TEST_CASE("fewer launches than were calibrated scatter more, more are given no credit") {
  Calibration calibration;
  calibration.launches = 8;
  calibration.ratio99["case"] = 0.05;
  CHECK(*calibration.threshold("case", 2) == Catch::Approx(0.1));
  CHECK(*calibration.threshold("case", 30) == Catch::Approx(0.05));
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
  CHECK(differing_facts(box, later).empty());
  CHECK(machine_id(box) == machine_id(later));
  Fingerprint other = box;
  other.facts[1].second = "GPU-2";
  CHECK(differing_facts(box, other).size() == 1);
  CHECK(machine_id(box) != machine_id(other));
}
