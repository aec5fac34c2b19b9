#include <fmt/format.h>

#include "measure/group_verdict.hpp"
#include "measure/sweep.hpp"

namespace ringside {

void run_model(const Plan& plan, const MachineProfile& machine, Document& document) {
  for (const PlannedCase& planned : plan.cases) {
    Row row;
    row.params = planned.params;
    if (planned.skipped) {
      row.findings = {add_finding(document, *planned.skipped)};
      document.rows.push_back(std::move(row));
      continue;
    }
    const Estimate estimate = planned.strategy->estimate(planned.params, machine);
    row.status = Status::pass;
    row.origin = Origin::modelled;
    row.time = Statistics{.samples = 0,
                          .median_ns = estimate.time_ns,
                          .interval95_ns = {},
                          .min_ns = estimate.time_ns,
                          .p90_ns = {},
                          .p99_ns = {}};
    const double factor = 2.0 * (planned.params.ranks - 1) / planned.params.ranks;
    const auto bytes = static_cast<double>(planned.params.bytes.count);
    row.algbw_gbps = bytes / estimate.time_ns;
    row.busbw_gbps = *row.algbw_gbps * factor;
    row.floor_ns = machine.one_way_latency_ns + factor * bytes / machine.bandwidth_gbps;
    row.of_floor = *row.floor_ns / estimate.time_ns;
    row.findings = {add_finding(
        document, {.kind = "formula",
                   .severity = Severity::note,
                   .subject = planned.params.strategy,
                   .message = fmt::format("{} is estimated as {}", planned.params.strategy, estimate.formula),
                   .evidence = {},
                   .remedy = ""})};
    document.rows.push_back(std::move(row));
  }
  document.complete = true;
}

}  // namespace ringside
