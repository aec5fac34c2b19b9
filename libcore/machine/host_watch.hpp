#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>

#include "machine/core_times.hpp"
#include "machine/root_files.hpp"
#include "machine/throttling.hpp"

namespace ringside {

// The counters of a host at one moment, as far as its kernel shows them.
struct HostMoment {
  std::map<int, CoreTimes> cores;
  std::optional<Throttling> throttling;
};

// CPU time of each process that is neither this one nor a child of it, in clock ticks.
using ProcessTimes = std::map<pid_t, unsigned long long>;

// What else happens on a host while its ranks are measured.
class HostWatch {
 public:
  // `self`: the process whose children the ranks are.
  HostWatch(RootFiles files, pid_t self);
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  // Reads two small files.
  HostMoment look() const;
  // Reads a file of every process that can be seen: some 10 us each.
  ProcessTimes processes() const;

 private:
  RootFiles files_;
  pid_t self_;
  ThrottleCounters throttling_;
};

// Processes that have used at least a tenth of a core for `time` between the two. What began and ended in
// between, and what a container hides, is not among them.
int busy_processes(const ProcessTimes& before, const ProcessTimes& after, std::chrono::nanoseconds time);

}  // namespace ringside
