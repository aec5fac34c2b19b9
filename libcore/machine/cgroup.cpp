#include "machine/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace ringside {
namespace {

namespace fs = std::filesystem;

// Where a version keeps its files, and their names.
struct MemoryFiles {
  const char* limit;
  const char* usage;
  const char* inactive_field;  // of memory.stat: page cache that the kernel would drop first
};
constexpr MemoryFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr MemoryFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

// Version 1 says "no limit" with a number just under 2^63.
constexpr unsigned long long kUnlimited = 1ull << 60;

template <typename T>
void tighten(std::optional<T>& limit, T value) {
  limit = limit ? std::min(*limit, value) : value;
}

void apply_memory(const RootFiles& files, const fs::path& group, const MemoryFiles& names,
                  CgroupLimits& limits) {
  const auto limit = files.number(group / names.limit);
  if (!limit || *limit >= kUnlimited) return;
  const auto usage = files.number(group / names.usage).value_or(0);
  const std::string inactive = files.field(group / "memory.stat", names.inactive_field, ' ').value_or("0");
  unsigned long long cache = 0;
  std::from_chars(inactive.data(), inactive.data() + inactive.size(), cache);
  const auto used = usage - std::min(usage, cache);
  tighten(limits.memory, Bytes{*limit});
  tighten(limits.memory_left, Bytes{*limit - std::min(*limit, used)});
}

void apply_cpu_v1(const RootFiles& files, const fs::path& group, CgroupLimits& limits) {
  const auto quota = files.number(group / "cpu.cfs_quota_us");  // -1 is no number: no limit
  const auto period = files.number(group / "cpu.cfs_period_us");
  if (quota && period && *period > 0)
    tighten(limits.cpus, static_cast<double>(*quota) / static_cast<double>(*period));
}

void apply_cpu_v2(const RootFiles& files, const fs::path& group, CgroupLimits& limits) {
  const std::vector<std::string> words =
      split(files.line(group / "cpu.max").value_or(""), ' ');  // "150000 100000", "max 100000"
  double quota = 0, period = 0;
  if (words.size() != 2) return;
  const auto parsed = [](const std::string& text, double& value) {
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
  };
  if (parsed(words[0], quota) && parsed(words[1], period) && period > 0) tighten(limits.cpus, quota / period);
}

// Calls apply(folder) for the group and every group above it. Inside a container the group's path may lie
// outside of what is mounted: then the root of the mount is the container's own group, and the only one there
// is.
template <typename Apply>
void walk_up(const fs::path& mount, fs::path group, Apply apply) {
  for (;; group = group.parent_path()) {
    apply(mount / group.relative_path());
    if (group.relative_path().empty()) return;
  }
}

// A control group that this process is in, by a line of proc/self/cgroup: "4:memory:/group" (version 1) and
// "0::/group" (version 2).
struct Membership {
  fs::path group;
  std::vector<std::string> controllers;  // version 2: none

  bool unified() const { return controllers.size() == 1 && controllers.front().empty(); }
  bool controls(const char* name) const {
    return std::find(controllers.begin(), controllers.end(), name) != controllers.end();
  }
};

std::vector<Membership> memberships(const RootFiles& files) {
  std::vector<Membership> memberships;
  for (const std::string& line : split(files.read("proc/self/cgroup").value_or("0::/"), '\n')) {
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3) continue;
    std::vector<std::string> controllers = split(parts[1], ',');
    if (controllers.empty()) controllers.emplace_back();
    memberships.push_back({line.substr(parts[0].size() + parts[1].size() + 2), std::move(controllers)});
  }
  return memberships;
}

const fs::path kMount = "sys/fs/cgroup";

std::vector<fs::path> unified_mounts() {
  return {kMount, kMount / "unified"};
}

std::vector<fs::path> cpu_mounts() {
  return {kMount / "cpu", kMount / "cpu,cpuacct"};
}

}  // namespace

CgroupLimits read_cgroup_limits(const RootFiles& files) {
  CgroupLimits limits;
  for (const Membership& membership : memberships(files)) {
    if (membership.unified()) {
      for (const fs::path& unified : unified_mounts()) {
        walk_up(unified, membership.group, [&](const fs::path& folder) {
          apply_memory(files, folder, kVersion2, limits);
          apply_cpu_v2(files, folder, limits);
        });
      }
    }
    if (membership.controls("memory")) {
      walk_up(kMount / "memory", membership.group,
              [&](const fs::path& folder) { apply_memory(files, folder, kVersion1, limits); });
    }
    if (membership.controls("cpu")) {
      for (const fs::path& mount : cpu_mounts())
        walk_up(mount, membership.group,
                [&](const fs::path& folder) { apply_cpu_v1(files, folder, limits); });
    }
  }
  return limits;
}

std::vector<fs::path> cpu_group_folders(const RootFiles& files) {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) { folders.push_back(folder); };
  for (const Membership& membership : memberships(files)) {
    if (membership.unified()) {
      for (const fs::path& unified : unified_mounts()) walk_up(unified, membership.group, add);
    }
    if (membership.controls("cpu")) {
      for (const fs::path& mount : cpu_mounts()) walk_up(mount, membership.group, add);
    }
  }
  return folders;
}

}  // namespace ringside
