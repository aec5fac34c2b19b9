#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device/make_device.hpp"

namespace ringside {

// What a fresh group of ranks is started with.
struct GroupSettings {
  int ranks = 2;
  DeviceSettings device;
  // Variables, name and value, beside those of the coordinator's environment. They are there when a rank's
  // program begins, so they do not travel as JSON.
  std::vector<std::pair<std::string, std::string>> environment{};
};

// GroupSettings as they travel to a rank.
std::string settings_to_json(const GroupSettings& settings);
GroupSettings settings_from_json(const std::string& text);

}  // namespace ringside
