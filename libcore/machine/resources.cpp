#include "machine/resources.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <thread>

#include "base/text.hpp"
#include "machine/cgroup.hpp"

namespace ringside {
namespace {

// Members of a list as the kernel writes it: "0-3,8" has 5. 0: it is none.
int count_listed(const std::string& list) {
  int count = 0;
  for (const std::string& part : split(list, ',')) {
    int first = 0;
    const char* const end = part.data() + part.size();
    auto [next, error] = std::from_chars(part.data(), end, first);
    if (error != std::errc{}) return 0;
    int last = first;
    if (next != end && *next == '-') std::from_chars(next + 1, end, last);
    count += std::max(0, last - first + 1);
  }
  return count;
}

}  // namespace

int usable_cores(const RootFiles& files) {
  int cores = count_listed(files.field("proc/self/status", "Cpus_allowed_list", ':').value_or(""));
  if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
  if (const auto quota = read_cgroup_limits(files).cpus) cores = std::min(cores, static_cast<int>(*quota));
  return std::max(1, cores);
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
