#pragma once

#include <vector>

#include "gate/compare.hpp"
#include "support/launches.hpp"

namespace ringside::test {

// Two results compared and judged by the gate itself: of the new one, 2K is as before, 4K slower, 8K faster,
// 16K unclear, and two of its cases have no time to compare: one that lost a rank, one that the base lacks.
inline Document sample_comparison() {
  const auto times = [](double us, double spread = 0.002) {
    std::vector<double> launches;
    for (int i = 0; i < 5; ++i) launches.push_back(us * (1 + spread * i));
    return launches;
  };
  LaunchedDocument base, now;
  base.row(2_KiB, times(2));
  base.row(4_KiB, times(3));
  base.row(8_KiB, times(4));
  base.row(16_KiB, times(5, 0.03));
  base.row(2_KiB, times(6), "tree");
  now.row(2_KiB, times(2.002));
  now.row(4_KiB, times(3.363));
  now.row(8_KiB, times(3.2));
  now.row(16_KiB, times(5.1, 0.03));
  Row& lost = now.row(2_KiB, {}, "tree");
  lost.status = Status::failed;
  lost.findings.push_back(add_finding(
      now.document,
      {"rank-lost", Severity::error, case_name(lost.params), "rank 1 was killed by signal 9", {}, ""}));
  now.row(4_KiB, times(7), "tree");
  for (LaunchedDocument* side : {&base, &now}) {
    side->document.tool = {"0.1.0", "4be1c2f", "GNU 12.2.0", "Release", "13.0", ""};
    for (Row& row : side->document.rows) {
      if (row.launches.empty()) continue;
      const double middle = row.launches[2].samples_ns.front();
      row.time = Statistics{120, middle, Interval{0.99 * middle, 1.01 * middle}, 0.98 * middle, {}, {}};
    }
  }
  now.document.tool.commit = "77aa01e";
  now.document.started = "2026-03-02T12:00:00Z";
  Document result = compare({base.document, {"base.json"}}, {now.document, {"new.json"}}, std::nullopt,
                            Sides::apart, false);
  result.command = "compare";
  result.argv = {"ringside", "compare", "base.json", "new.json"};
  result.tool = now.document.tool;
  leave_unconfirmed(result, "not measured again: --no-confirm");
  conclude_comparison(result);
  return result;
}

}  // namespace ringside::test
