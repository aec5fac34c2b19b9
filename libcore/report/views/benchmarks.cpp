#include "report/views/benchmarks.hpp"

#include <fmt/format.h>

#include <limits>

#include "report/views/blocks.hpp"

namespace ringside {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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
         .extra = fmt::format("{} samples, {} launches, {}", row.time->samples, row.launches.size(),
                              to_string(row.origin))});
  }
  return benchmarks;
}

}  // namespace ringside
