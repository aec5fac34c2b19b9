#include "report/views/benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "report/views/blocks.hpp"

namespace ringside {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What has no time and should have one; null: the case has one, or can't be run here.
const char* loss(const Row& row) {
  if (row.status == Status::failed) return "failed";
  if (row.status == Status::timeout) return "timed out";
  if (has_finding(row, finding_kind("no-longer-measured"))) return "no new time";
  if (has_finding(row, finding_kind("not-reached"))) return "not reached";
  if (has_finding(row, finding_kind("too-many-timeouts")) && !has_result(&row)) return "not tried";
  return nullptr;
}

// There in every result, also as 0, so that a rise can be seen.
Benchmark failed_cases(const Document& document) {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> names;
  for (const Row& row : document.rows) {
    if (const char* what = loss(row)) names.push_back(fmt::format("{}: {}", case_name(row.params), what));
  }
  Benchmark benchmark{
      .name = document.command + "/failed cases",
      .measures = {{.name = "failed-cases", .value = static_cast<double>(names.size()), .unit = "cases"}},
      .extra = fmt::format("of {}", document.rows.size())};
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) benchmark.extra += "; " + names[i];
  return benchmark;
}

}  // namespace

std::string benchmark_name(const Case& params) {
  return fmt::format("{}/{}/{} ranks/{}/{}/{}/{}", to_string(params.collective), to_string(params.device),
                     params.ranks, to_string(params.dtype), to_string(params.mode), entry_name(params),
                     format_size(params.bytes));
}

std::string benchmark_name(const SpecCandidate& candidate) {
  return fmt::format("run-spec/{}/{}/{}", candidate.strategy, candidate.layout, to_string(candidate.mode));
}

std::vector<Benchmark> row_benchmarks(const Document& document) {
  std::vector<Benchmark> benchmarks;
  for (const Row& row : document.rows) {
    if (!has_result(&row)) continue;
    benchmarks.push_back(
        {.name = benchmark_name(row.params),
         .measures = {{.name = "latency",
                       .value = row.time->median_ns,
                       .interval = row.time->interval95_ns,
                       .unit = "ns"},
                      {.name = "bus-bandwidth-gbps", .value = row.busbw_gbps.value_or(kNone)}},
         .extra = fmt::format("{} samples, {} launches, {}", row.time->samples, launch_count(row),
                              to_string(row.origin))});
  }
  benchmarks.push_back(failed_cases(document));
  return benchmarks;
}

}  // namespace ringside
