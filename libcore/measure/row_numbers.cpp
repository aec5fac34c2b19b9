#include "measure/row_numbers.hpp"

#include <optional>
#include <vector>

#include "stats/order.hpp"

namespace ringside {

// Samples of one launch have its processes and buffers in common: pooled, they would make the interval far
// too narrow.
void update_numbers(Row& row) {
  std::vector<double> samples;
  std::vector<std::optional<Interval>> intervals;
  for (const LaunchSamples& launch : row.launches) {
    samples.insert(samples.end(), launch.samples_ns.begin(), launch.samples_ns.end());
    intervals.push_back(median_interval95(launch.samples_ns));
  }
  row.time = summarize(samples);
  row.time->interval95_ns = hull(intervals);
  row.algbw_gbps = static_cast<double>(row.params.bytes.count) / row.time->median_ns;
  row.busbw_gbps = *row.algbw_gbps * wire_share(row.params);
  if (row.floor_ns) row.of_floor = *row.floor_ns / row.time->median_ns;
}

}  // namespace ringside
