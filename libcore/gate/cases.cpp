#include "gate/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringside {

std::string case_key(const Case& params) {
  std::string load;
  for (const double share : params.load) load += (load.empty() ? "" : ",") + fmt::format("{}", share);
  return fmt::format("{} {} {} {} {} {} {} {} {}", to_string(params.collective), params.strategy,
                     params.entry, to_string(params.device), to_string(params.mode), params.bytes.count,
                     to_string(params.dtype), params.ranks, load);
}

bool was_measured(const Row& row) {
  return row.status != Status::skipped && !has_failed(row) &&
         std::ranges::any_of(row.launches,
                             [](const LaunchSamples& launch) { return !launch.samples_ns.empty(); });
}

bool has_failed(const Row& row) {
  return row.status == Status::failed || row.status == Status::timeout;
}

RowsByKey rows_by_key(const Document& document) {
  RowsByKey rows;
  rows.reserve(document.rows.size());
  for (const Row& row : document.rows) rows.emplace(case_key(row.params), &row);
  return rows;
}

}  // namespace ringside
