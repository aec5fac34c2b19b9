#include "sweep/size_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// How a range goes on: "x2" multiplies, "+64K" adds.
struct Progression {
  std::uint64_t factor = 2;
  std::uint64_t step = 0;

  std::uint64_t next(std::uint64_t size) const { return size * factor + step; }
};

Progression parse_progression(const std::string& text) {
  if (text.starts_with('+')) {
    const Bytes step = parse_size(text.substr(1));
    if (step.count > 0) return {.factor = 1, .step = step.count};
  } else if (text.starts_with('x')) {
    std::uint64_t factor = 0;
    const char* const end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data() + 1, end, factor);
    if (error == std::errc{} && parsed == end && factor >= 2 && factor <= 1024)
      return {.factor = factor, .step = 0};
  }
  throw UsageError(fmt::format("'{}' is no way to go on: expected x2 to x1024, or +STEP such as +64K", text));
}

void append_range(const std::string& item, std::vector<Bytes>& sizes) {
  const std::vector<std::string> parts = split(item, ':');
  if (parts.size() > 3)
    throw UsageError(fmt::format("'{}' is no range: expected FIRST:LAST:x2 or FIRST:LAST:+STEP", item));
  const Bytes first = parse_size(parts[0]);
  const Bytes last = parse_size(parts[1]);
  const Progression progression = parse_progression(parts.size() == 3 ? parts[2] : "x2");
  if (first > last) throw UsageError(fmt::format("the range '{}' descends", item));
  if (first.count == 0) throw UsageError("a message of 0 bytes can't be measured");
  for (std::uint64_t size = first.count; size <= last.count; size = progression.next(size)) {
    sizes.push_back({size});
    if (sizes.size() > kMaxSizes)
      throw UsageError(fmt::format("'{}' gives more than {} sizes", item, kMaxSizes));
  }
}

}  // namespace

std::vector<Bytes> parse_size_list(std::string_view text) {
  std::vector<Bytes> sizes;
  for (const std::string& part : split(text, ',')) {
    const std::string item(trim(part));
    if (item.find(':') != std::string::npos) {
      append_range(item, sizes);
    } else {
      sizes.push_back(parse_size(item));
    }
  }
  check_ascending(sizes);
  return sizes;
}

void check_ascending(const std::vector<Bytes>& sizes) {
  if (sizes.empty()) throw UsageError("there are no sizes");
  if (sizes.size() > kMaxSizes)
    throw UsageError(
        fmt::format("there are {} sizes, at most {} can be measured at once", sizes.size(), kMaxSizes));
  if (sizes.front().count == 0) throw UsageError("a message of 0 bytes can't be measured");
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const std::string before = format_size(sizes[i - 1]);
    const std::string size = format_size(sizes[i]);
    if (sizes[i] == sizes[i - 1]) throw UsageError(fmt::format("size {} comes twice", size));
    if (sizes[i] < sizes[i - 1])
      throw UsageError(fmt::format("sizes must ascend, but {} follows {}", size, before));
  }
}

}  // namespace ringside
