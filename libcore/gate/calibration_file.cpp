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

StoredCalibration store_calibration(const Calibration& calibration) {
  const std::filesystem::path path = calibration_file(calibration.machine);
  if (path.empty())
    throw EnvironmentError(
        "no place to store the calibration: neither XDG_DATA_HOME nor HOME is set; set one");
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) {
    throw EnvironmentError(
        fmt::format("can't make the folder {}: {}", path.parent_path().string(), failure.message()));
  }
  StoredCalibration stored{path.string(), 0, 0};
  Calibration all = calibration;
  try {
    if (const auto earlier = find_calibration(calibration.machine)) {
      all = joined(*earlier, calibration);
      if (earlier->launches != calibration.launches) stored.runs_dropped = earlier->measured.size();
    }
  } catch (const UsageError&) {
    // What can't be read is replaced: nobody could calibrate again otherwise.
  }
  OutputFile(stored.file).write(to_toml(all));
  stored.runs = all.measured.size();
  for (const auto& [key, one] : calibration.cases) stored.runs = std::min(stored.runs, all.times(key));
  return stored;
}

}  // namespace ringside
