#include "machine/free_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "machine/resources.hpp"

namespace ringside {
namespace {

// In tenths, so that the ticks of a short look do not decide.
double busy_share(const std::map<int, CoreTimes>& before, const std::map<int, CoreTimes>& after, int core) {
  const auto from = before.find(core);
  const auto to = after.find(core);
  if (from == before.end() || to == after.end()) return 0;
  const CoreTimes spent = to->second - from->second;
  if (spent.all == 0) return 0;
  return std::round(10.0 * static_cast<double>(spent.busy + spent.stolen) / static_cast<double>(spent.all)) /
         10;
}

std::vector<int> siblings(const RootFiles& files, int core) {
  const auto list =
      files.line(fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", core));
  return parse_cpu_list(list.value_or(""));
}

}  // namespace

std::vector<int> pick_cores(const std::vector<CoreLoad>& cores, std::size_t wanted) {
  std::map<int, double> busy;
  for (const CoreLoad& core : cores) busy[core.core] = core.busy;
  std::vector<int> chosen;
  const auto is_chosen = [&](int core) { return std::ranges::find(chosen, core) != chosen.end(); };
  const auto cost = [&](const CoreLoad& core) {
    double sum = core.busy;
    for (const int sibling : core.siblings) {
      if (sibling == core.core) continue;
      const auto used = busy.find(sibling);
      sum += 0.5 * (is_chosen(sibling) ? 1.0 : used == busy.end() ? 0.0 : used->second);
    }
    return sum;
  };
  while (chosen.size() < std::min(wanted, cores.size())) {
    const CoreLoad* best = nullptr;
    for (const CoreLoad& core : cores) {
      if (!is_chosen(core.core) && (best == nullptr || cost(core) < cost(*best))) best = &core;
    }
    chosen.push_back(best->core);
  }
  return chosen;
}

std::vector<int> free_cores(int ranks, const RootFiles& files, std::chrono::milliseconds look) {
  const auto wanted = static_cast<std::size_t>(std::max(ranks, 0));
  if (static_cast<std::size_t>(usable_cores(files)) < wanted) return {};
  std::vector<int> allowed = allowed_core_list(files);
  if (allowed.size() <= wanted) return allowed;
  const auto before = read_core_times(files);
  std::this_thread::sleep_for(look);
  const auto after = read_core_times(files);
  std::vector<CoreLoad> cores;
  for (const int core : allowed)
    cores.push_back({core, busy_share(before, after, core), siblings(files, core)});
  return pick_cores(cores, wanted);
}

}  // namespace ringside
