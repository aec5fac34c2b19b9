#include "rank/settings_json.hpp"

#include <nlohmann/json.hpp>

namespace ringside {

std::string settings_to_json(const GroupSettings& settings) {
  const nlohmann::json json = {{"device", to_string(settings.device)},
                               {"ranks", settings.ranks},
                               {"arena_bytes", settings.arena_bytes.count},
                               {"cores", settings.cores}};
  return json.dump();
}

GroupSettings settings_from_json(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  GroupSettings settings;
  settings.device = parse_device(json.at("device").get<std::string>());
  json.at("ranks").get_to(settings.ranks);
  json.at("arena_bytes").get_to(settings.arena_bytes.count);
  json.at("cores").get_to(settings.cores);
  return settings;
}

}  // namespace ringside
