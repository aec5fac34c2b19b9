#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "trace/core/launch_reader.hpp"

namespace ringside {

// The launches of a log, by server and in order: sources of one server (its nodes, or a collector's names for
// its processes) are put together, and launches that overlap are of different servers. Never empty.
std::vector<LoggedLaunch> in_order(std::map<std::string, std::deque<LaunchReader>>& sources);

}  // namespace ringside
