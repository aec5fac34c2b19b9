#include "served/speed_reading.hpp"

#include <algorithm>

namespace ringside {

std::vector<SpeedReading> usable_readings(std::vector<SpeedReading> readings) {
  if (std::ranges::any_of(readings, &SpeedReading::settled))
    std::erase_if(readings, [](const SpeedReading& reading) { return !reading.settled; });
  return readings;
}

}  // namespace ringside
