#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/document.hpp"

namespace ringside::test {

// A result of a sweep of one strategy, as far as a comparison looks at it: a row for each size, with the
// launch medians given in microseconds. Every sample of a launch is its median.
struct LaunchedDocument {
  Document document;

  LaunchedDocument() {
    document.command = "probe-comm";
    document.started = "2026-03-01T12:00:00Z";
    document.complete = true;
    document.machine = {"2 cores", {{"cpu", "EPYC"}, {"memory_available", "3 GiB"}}};
  }

  Row& row(Bytes bytes, const std::vector<double>& medians_us, const std::string& strategy = "ring") {
    Row row;
    row.params.strategy = row.params.family = strategy;
    row.params.ranks = 2;
    row.params.bytes = bytes;
    row.status = medians_us.empty() ? Status::skipped : Status::pass;
    for (const double median : medians_us) {
      LaunchSamples launch;
      launch.launch = static_cast<int>(row.launches.size());
      launch.samples_ns.assign(24, median * 1e3);
      row.launches.push_back(launch);
    }
    return document.rows.emplace_back(std::move(row));
  }
};

}  // namespace ringside::test
