#include "machine/resources.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <string>
#include <thread>

#include "base/text.hpp"
#include "machine/cgroup.hpp"

namespace ringside {

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    int first = 0;
    const char* const end = part.data() + part.size();
    const auto [next, error] = std::from_chars(part.data(), end, first);
    if (error != std::errc{}) return {};
    int last = first;
    if (next != end && *next == '-') std::from_chars(next + 1, end, last);
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<int> allowed_core_list(const RootFiles& files) {
  std::vector<int> cores =
      parse_cpu_list(files.field("proc/self/status", "Cpus_allowed_list", ':').value_or(""));
  if (cores.empty()) {
    cores.resize(std::max(1u, std::thread::hardware_concurrency()));
    std::iota(cores.begin(), cores.end(), 0);
  }
  return cores;
}

std::vector<int> usable_core_list(const RootFiles& files) {
  std::vector<int> cores = allowed_core_list(files);
  const auto quota = read_cgroup_limits(files).cpus;
  if (quota && *quota < static_cast<double>(cores.size()))
    cores.resize(std::max<std::size_t>(1, static_cast<std::size_t>(*quota)));
  return cores;
}

int usable_cores(const RootFiles& files) {
  return static_cast<int>(usable_core_list(files).size());
}

Bytes available_memory(const RootFiles& files) {
  Bytes available{std::numeric_limits<std::uint64_t>::max()};
  if (const auto field = files.field("proc/meminfo", "MemAvailable", ':')) {  // "24303268 kB"
    std::uint64_t kilobytes = 0;
    const auto [end, error] = std::from_chars(field->data(), field->data() + field->size(), kilobytes);
    if (error == std::errc{}) available.count = kilobytes * 1024;
  }
  if (const auto left = read_cgroup_limits(files).memory_left) available = std::min(available, *left);
  return available;
}

}  // namespace ringside
