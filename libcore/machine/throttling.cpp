#include "machine/throttling.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/text.hpp"
#include "machine/cgroup.hpp"

namespace ringside {
namespace {

std::optional<unsigned long long> number_after(const std::string& text, std::string_view key) {
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') continue;
    unsigned long long value = 0;
    const char* const begin = line.data() + key.size() + 1;
    if (std::from_chars(begin, line.data() + line.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

}  // namespace

ThrottleCounters::ThrottleCounters(const RootFiles& files) : files_(files) {
  for (const std::filesystem::path& folder : cpu_group_folders(files)) {
    const std::filesystem::path counter = folder / "cpu.stat";
    const bool known = std::ranges::find(counters_, counter) != counters_.end();
    if (!known && number_after(files.read(counter).value_or(""), "nr_throttled"))
      counters_.push_back(counter);
  }
}

// Version 1 counts ns in throttled_time, version 2 microseconds in throttled_usec.
std::optional<Throttling> ThrottleCounters::read() const {
  if (counters_.empty()) return std::nullopt;
  Throttling sum;
  for (const std::filesystem::path& counter : counters_) {
    const std::string text = files_.read(counter).value_or("");
    sum.times += number_after(text, "nr_throttled").value_or(0);
    sum.stopped += std::chrono::nanoseconds(number_after(text, "throttled_time").value_or(0));
    sum.stopped += std::chrono::microseconds(number_after(text, "throttled_usec").value_or(0));
  }
  return sum;
}

}  // namespace ringside
