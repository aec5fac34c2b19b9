#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "base/user_folder.hpp"
#include "gate/calibration.hpp"
#include "gate/fingerprint_match.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMost = 64u << 20;

// One file for each machine, named after its facts; the file itself says which they are.
std::filesystem::path calibration_file(const Fingerprint& machine) {
  const std::filesystem::path folder = user_data_folder();
  if (folder.empty()) return {};
  return folder / "calibration" / (machine_id(machine) + ".toml");
}

}  // namespace

std::optional<Calibration> find_calibration(const Fingerprint& machine) {
  const std::filesystem::path path = calibration_file(machine);
  std::error_code absent;
  if (path.empty() || !std::filesystem::is_regular_file(path, absent)) return std::nullopt;
  return read_calibration({path.stem(), path, read_input(path, kMost)});
}

void check_calibration_place(const Fingerprint& machine) {
  check_place("the calibration", calibration_file(machine));
}

StoredCalibration store_calibration(const Calibration& calibration) {
  const std::filesystem::path path = calibration_file(calibration.machine);
  check_calibration_place(calibration.machine);
  const UniqueFd lock = lock_folder(path.parent_path());  // another run may store meanwhile: both add up
  Calibration all = calibration;
  try {
    if (const auto earlier = find_calibration(calibration.machine)) all = joined(*earlier, calibration);
  } catch (const UsageError&) {
    // What can't be read is replaced: nobody could calibrate again otherwise.
  }
  OutputFile(path.string()).write(to_toml(all));
  StoredCalibration stored{path.string(), all.measured.size()};
  for (const auto& [key, one] : calibration.cases) stored.runs = std::min(stored.runs, all.times(key));
  return stored;
}

}  // namespace ringside
