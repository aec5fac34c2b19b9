#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "machine/root_files.hpp"

namespace ringside {

// What the control groups around this process leave it: the tightest limit from its own group up to the root,
// versions 1 and 2.
struct CgroupLimits {
  std::optional<double> cpus;        // CPU time quota, in cores
  std::optional<Bytes> memory;       // the limit
  std::optional<Bytes> memory_left;  // limit minus usage, page cache that can be dropped not counted as used
};

CgroupLimits read_cgroup_limits(const RootFiles& files);

// Where the control groups around this process keep what they know of the CPU, from its own up to the root;
// of both versions, there or not.
std::vector<std::filesystem::path> cpu_group_folders(const RootFiles& files);

}  // namespace ringside
