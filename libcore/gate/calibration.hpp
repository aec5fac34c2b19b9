#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/document.hpp"
#include "scenario/catalogue.hpp"

namespace ringside {

// How far two halves of launches of unchanged code come apart on one machine, case by case.
struct Calibration {
  std::string origin;                     // the file, for messages
  Fingerprint machine;                    // the facts that identify it
  std::string measured;                   // date
  int launches = 0;                       // of each half
  std::map<std::string, double> ratio99;  // by case_key(): 99th percentile of |ratio - 1|

  // For a comparison with this many launches on the smaller side: fewer than were calibrated scatter more, as
  // the root. Nothing for a case that was not calibrated.
  std::optional<double> threshold(const std::string& key, std::size_t launches_of_side) const;
};

// From an A/A run: all ways to halve the launches of each row. Rows with fewer than six launches are left
// out; throws EnvironmentError when that leaves none.
Calibration calibrate(const Document& document);

// Throws UsageError that says where the text is wrong.
Calibration read_calibration(const ScenarioText& text);
std::string to_toml(const Calibration& calibration);

// That of this machine, if one was stored.
std::optional<Calibration> find_calibration(const Fingerprint& machine);

// Stores it so that find_calibration() finds it, in the place of an earlier one; returns the file. Cases that
// only the earlier one has are kept. Throws EnvironmentError.
std::string store_calibration(const Calibration& calibration);

}  // namespace ringside
