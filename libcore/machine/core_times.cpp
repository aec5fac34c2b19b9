#include "machine/core_times.hpp"

#include <array>
#include <sstream>

#include "base/text.hpp"

namespace ringside {
namespace {

unsigned long long grown(unsigned long long now, unsigned long long before) {
  return now > before ? now - before : 0;  // iowait may shrink (proc(5))
}

}  // namespace

CoreTimes CoreTimes::operator-(const CoreTimes& before) const {
  return {grown(busy, before.busy), grown(stolen, before.stolen), grown(all, before.all)};
}

// "cpu0 user nice system idle iowait irq softirq steal ...": guest times are part of user's.
std::map<int, CoreTimes> read_core_times(const RootFiles& files) {
  std::map<int, CoreTimes> cores;
  for (const std::string& line : split(files.read("proc/stat").value_or(""), '\n')) {
    if (!line.starts_with("cpu")) break;  // they come first
    std::istringstream words(line.substr(3));
    int core = -1;
    std::array<unsigned long long, 8> ticks{};
    if (line.starts_with("cpu ") || !(words >> core)) continue;
    for (unsigned long long& value : ticks) words >> value;
    const auto [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
    const unsigned long long busy = user + nice + system + irq + softirq;
    cores[core] = {busy, steal, busy + idle + iowait + steal};
  }
  return cores;
}

}  // namespace ringside
