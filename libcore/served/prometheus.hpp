#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// A value of a snapshot with its labels.
struct MetricValue {
  std::map<std::string, std::string> labels;
  double value = 0;
};

// The values of a snapshot of /metrics (Prometheus' text format, or OpenMetrics) by name.
using MetricValues = std::map<std::string, std::vector<MetricValue>, std::less<>>;

// Those whose name begins with `prefix`; buckets of histograms, values that are not finite and lines that are
// none are left out.
MetricValues read_metrics(std::string_view text, std::string_view prefix);

}  // namespace ringside
