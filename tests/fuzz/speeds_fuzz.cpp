// The readers of speeds and of times of collectives: any bytes give readings, or an error that names the
// file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "machine/measured_times.hpp"
#include "served/comparable_speeds.hpp"
#include "served/read_speeds.hpp"

namespace {

using namespace ringside;

// Of a log, of a benchmark, of two snapshots that a null byte parts, of times of collectives.
std::vector<SpeedReading> readings_of(unsigned kind, const std::string& text) {
  if (kind == 0) return read_speed_log(text, "fuzz").readings;
  if (kind == 1) return read_speed_benchmark(text, "fuzz").readings;
  if (kind == 3) {
    read_measured_times(text, "fuzz");
    return {};
  }
  const std::size_t part = text.find('\0');
  const std::string before = text.substr(0, part);
  const std::string after = part == std::string::npos ? before : text.substr(part + 1);
  return read_speed_metrics(before, "fuzz", after, "fuzz").readings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const std::vector<SpeedReading> readings = usable_readings(readings_of(data[0] % 4, text));
    for (const SpeedReading& reading : readings)
      if (reading.length && !(*reading.length >= 1)) __builtin_trap();
    for (const SpeedPair& pair : pairs_of(readings)) {
      const SpeedComparison& comparison = pair.comparison;
      const bool inside =
          comparison.interval.low <= comparison.ratio && comparison.ratio <= comparison.interval.high;
      if (comparison.reason.empty() && !inside) __builtin_trap();
    }
  } catch (const UsageError&) {
  }
  return 0;
}
