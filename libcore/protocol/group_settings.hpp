#pragma once

#include <string>

#include "device/make_device.hpp"

namespace ringside {

// What a fresh group of ranks is started with.
struct GroupSettings {
  int ranks = 2;
  DeviceSettings device;
};

// GroupSettings as they travel to a rank.
std::string settings_to_json(const GroupSettings& settings);
GroupSettings settings_from_json(const std::string& text);

}  // namespace ringside
