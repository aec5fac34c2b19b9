#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// The kernel's small text files (/proc, /sys, /etc/os-release) below a root folder, which tests replace. A
// file that is missing or can't be read is absent, never an error: containers hide many of them.
class RootFiles {
 public:
  explicit RootFiles(std::filesystem::path root = "/") : root_(std::move(root)) {}

  // The whole text ("proc/meminfo").
  std::optional<std::string> read(const std::filesystem::path& path) const;
  // The first line, trimmed; absent when it is empty.
  std::optional<std::string> line(const std::filesystem::path& path) const;
  // The first line as a whole number; absent when it is none ("max").
  std::optional<unsigned long long> number(const std::filesystem::path& path) const;
  // What follows `key` and the separator on the first line that begins with the key ("model name" ':').
  std::optional<std::string> field(const std::filesystem::path& path, std::string_view key,
                                   char separator) const;
  // Names in a folder that are `prefix` and a number ("cpu0", "node1").
  std::vector<std::string> numbered(const std::filesystem::path& folder, std::string_view prefix) const;
  // All names in a folder, sorted; empty where there is no such folder.
  std::vector<std::string> names(const std::filesystem::path& folder) const;
  // The last part of what a symbolic link points to ("../../iommu_groups/7" -> "7").
  std::optional<std::string> link(const std::filesystem::path& path) const;
  // Where a path leads, links followed, below the root: "sys/devices/pci0000:00/0000:00:01.0".
  std::optional<std::string> real(const std::filesystem::path& path) const;
  bool exists(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

}  // namespace ringside
