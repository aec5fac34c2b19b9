#pragma once

#include <string>

#include "rank/rank_group.hpp"

namespace ringside {

// GroupSettings as they travel to a rank.
std::string settings_to_json(const GroupSettings& settings);
GroupSettings settings_from_json(const std::string& text);

}  // namespace ringside
