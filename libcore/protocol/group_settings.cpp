#include "protocol/group_settings.hpp"

#include <nlohmann/json.hpp>

namespace ringside {

std::string settings_to_json(const GroupSettings& settings) {
  const DeviceSettings& device = settings.device;
  const nlohmann::json json = {{"ranks", settings.ranks},
                               {"device", to_string(device.kind)},
                               {"arena_bytes", device.arena.count},
                               {"cores", device.cores},
                               {"gpus", device.gpus},
                               {"nccl_library", device.nccl_library},
                               {"report", device.report}};
  return json.dump();
}

GroupSettings settings_from_json(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  GroupSettings settings;
  json.at("ranks").get_to(settings.ranks);
  DeviceSettings& device = settings.device;
  device.kind = parse_device(json.at("device").get<std::string>());
  json.at("arena_bytes").get_to(device.arena.count);
  json.at("cores").get_to(device.cores);
  json.at("gpus").get_to(device.gpus);
  json.at("nccl_library").get_to(device.nccl_library);
  json.at("report").get_to(device.report);
  return settings;
}

}  // namespace ringside
