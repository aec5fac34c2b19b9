#include "machine/host_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>
#include <string>

namespace ringside {
namespace {

struct ProcessStat {
  pid_t parent = 0;
  unsigned long long ticks = 0;
};

// "12 (a name) R 1 ...": the name may hold anything, so that fields are counted from its end (proc(5)).
std::optional<ProcessStat> read_process(const RootFiles& files, const std::string& pid) {
  const std::string text = files.line("proc/" + pid + "/stat").value_or("");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(name_end + 1));
  constexpr int kBetween = 9;  // pgrp to cmajflt, fields 5 to 13
  ProcessStat stat;
  std::string skipped;
  unsigned long long user = 0;
  unsigned long long system = 0;
  words >> skipped >> stat.parent;
  for (int field = 0; field < kBetween; ++field) words >> skipped;
  if (!(words >> user >> system)) return std::nullopt;
  stat.ticks = user + system;
  return stat;
}

}  // namespace

HostWatch::HostWatch(RootFiles files, pid_t self)
    : files_(std::move(files)), self_(self), throttling_(files_) {}

HostMoment HostWatch::look() const {
  return {read_core_times(files_), throttling_.read()};
}

ProcessTimes HostWatch::processes() const {
  ProcessTimes times;
  for (const std::string& name : files_.numbered("proc", "")) {
    const auto pid = static_cast<pid_t>(std::stol(name));
    const auto stat = read_process(files_, name);
    if (stat && pid != self_ && stat->parent != self_) times[pid] = stat->ticks;
  }
  return times;
}

int busy_processes(const ProcessTimes& before, const ProcessTimes& after, std::chrono::nanoseconds time) {
  const double ticks_in_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double least = 0.1 * std::chrono::duration<double>(time).count() * ticks_in_second;
  int busy = 0;
  for (const auto& [pid, ticks] : after) {
    const auto known = before.find(pid);
    const unsigned long long from = known == before.end() ? 0 : known->second;
    if (ticks > from && static_cast<double>(ticks - from) >= least) ++busy;
  }
  return busy;
}

}  // namespace ringside
