#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "machine/root_files.hpp"

namespace ringside {

// How often, and how long altogether, CPU quotas have stopped the control groups around this process.
struct Throttling {
  unsigned long long times = 0;
  std::chrono::nanoseconds stopped{};
};

// Finds the counters once: cpu.stat of each group up to the root, versions 1 and 2.
class ThrottleCounters {
 public:
  // `files` must outlive it.
  explicit ThrottleCounters(const RootFiles& files);

  // The sum over the groups; absent where no group has such a counter.
  std::optional<Throttling> read() const;

 private:
  const RootFiles& files_;
  std::vector<std::filesystem::path> counters_;
};

}  // namespace ringside
