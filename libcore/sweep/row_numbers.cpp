#include "sweep/row_numbers.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "stats/clean_rounds.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

void add_words(std::optional<std::string>& known, const std::optional<std::string>& more) {
  if (!more) return;
  if (!known) {
    known = more;
    return;
  }
  for (const std::string& part : split(*more, ',')) {
    const std::string_view word = trim(part);
    const std::vector<std::string> words = split(*known, ',');
    const bool there = std::ranges::any_of(words, [&](const std::string& one) { return trim(one) == word; });
    if (!there) known->append(", ").append(word);
  }
}

// What was taken off is known to its own interval only.
std::optional<Interval> with_touch(std::optional<Interval> interval, const LaunchSamples& launch) {
  if (!interval || !launch.touch_ns) return interval;
  if (!launch.touch_interval95_ns) return std::nullopt;
  interval->low = std::max(0.1, interval->low - (launch.touch_interval95_ns->high - *launch.touch_ns));
  interval->high += *launch.touch_ns - launch.touch_interval95_ns->low;
  return interval;
}

}  // namespace

// Samples of one launch have its processes and buffers in common: pooled, they would make the interval far
// too narrow.
void update_numbers(Row& row) {
  std::vector<double> samples;
  std::vector<std::optional<Interval>> intervals;
  for (const LaunchSamples& launch : row.launches) {
    const std::vector<double> standing = standing_samples(launch);
    samples.insert(samples.end(), standing.begin(), standing.end());
    intervals.push_back(with_touch(median_interval95(standing), launch));
  }
  row.time = summarize(samples);
  row.time->interval95_ns = hull(intervals);
  row.algbw_gbps = static_cast<double>(row.params.bytes.count) / row.time->median_ns;
  row.busbw_gbps = *row.algbw_gbps * wire_share(row.params);
  if (row.floor_ns) row.of_floor = *row.floor_ns / row.time->median_ns;
}

void forget_numbers(Row& row) {
  row.time.reset();
  row.algbw_gbps.reset();
  row.busbw_gbps.reset();
  row.of_floor.reset();
}

void add_ran(Row& row, const std::optional<std::string>& ran, const std::optional<std::string>& chosen_by) {
  add_words(row.ran, ran);
  add_words(row.chosen_by, chosen_by);
}

}  // namespace ringside
