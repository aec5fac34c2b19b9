#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/sides.hpp"
#include "model/document.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

// From this number of calibrated times on it is known what changes between times: docs/compare.md has the
// error rates with fewer.
inline constexpr std::size_t kRunsToKnow = 5;

// What unchanged code did in one case, at each time that the machine was calibrated: all three are as long as
// Calibration::measured.
struct CalibratedCase {
  std::vector<double> ratio99;    // 99th percentile of |ratio - 1| of two halves of that time's launches
  std::vector<double> middle_ns;  // median of that time's launches; 0: the case was not measured then
  std::vector<double> floor_ns;   // what the link allowed at best; 0: not known
};

// How far launches of unchanged code come apart on one machine, case by case.
struct Calibration {
  std::string origin;                           // the file, for messages
  Fingerprint machine;                          // the facts that identify it
  std::vector<std::string> measured;            // dates, oldest first
  int launches = 0;                             // of each half
  std::map<std::string, CalibratedCase> cases;  // by case_key()

  // For a comparison with this many launches on the smaller side: the largest of the times' percentiles,
  // grown as the root where more launches were calibrated, and for sides that are apart what is to be
  // expected between two times. Nothing for a case that was not calibrated.
  std::optional<double> threshold(const std::string& key, std::size_t launches_of_side, Sides sides) const;

  // Whether it knows how the case changes from one time to another: from kRunsToKnow times on between which
  // the link itself did not move.
  bool knows_runs(const std::string& key) const;

  std::size_t times(const std::string& key) const;  // at which it was measured
};

// From an A/A run: all ways to halve the launches of each row. Rows with fewer than six launches are left
// out; throws EnvironmentError when that leaves none.
Calibration calibrate(const Document& document);

// Why rows of such a run have no part in its calibration: "2 cases with fewer than 6 launches", ...; empty:
// all have.
std::vector<std::string> left_out_of_calibration(const Document& document);

// Both, with the times in their order; the oldest ones go where there are more than eight. Times less than
// five minutes apart are one: of a case that both measured then the later one's is taken. Where the halves
// had different numbers of launches, all are taken as of the smaller one: what more launches found grows as
// the root.
Calibration joined(const Calibration& earlier, const Calibration& later);

// Throws UsageError that says where the text is wrong.
Calibration read_calibration(const ScenarioText& text);
std::string to_toml(const Calibration& calibration);

// That of this machine, if one was stored.
std::optional<Calibration> find_calibration(const Fingerprint& machine);

struct StoredCalibration {
  std::string file;
  std::size_t runs = 0;  // at which each of the cases was measured at least
};

// Whether the calibration of that machine can be stored: tried before it is measured. Throws
// EnvironmentError.
void check_calibration_place(const Fingerprint& machine);

// Stores it so that find_calibration() finds it, joined with what is there already and can be read; runs that
// store at the same time wait for each other. Throws EnvironmentError.
StoredCalibration store_calibration(const Calibration& calibration);

}  // namespace ringside
