#include <fmt/format.h>

#include <algorithm>

#include "strategy/cost.hpp"
#include "sweep/fit_text.hpp"
#include "sweep/floor.hpp"
#include "sweep/sweep.hpp"

namespace ringside {
namespace {

constexpr double kMargin = 0.01;

// Who is fastest by calculation; two within the margin are tied.
void judge_modelled(const CaseGroup& group, Document& document) {
  std::vector<const Row*> ranked;
  for (const std::size_t index : group.cases)
    if (document.rows[index].time) ranked.push_back(&document.rows[index]);
  if (ranked.empty()) return;
  std::ranges::stable_sort(ranked, {}, [](const Row* row) { return row->time->median_ns; });
  const Case& best = ranked.front()->params;
  GroupVerdict verdict;
  verdict.bytes = best.bytes;
  verdict.dtype = best.dtype;
  verdict.mode = best.mode;
  verdict.collective = best.collective;
  verdict.reason = ranked.size() == 1 ? "nothing to compare with" : "calculated, not measured";
  for (const Row* row : ranked) {
    const double ratio = row->time->median_ns / ranked.front()->time->median_ns;
    if (row == ranked.front() || ratio <= 1 + kMargin) verdict.tied.push_back(entry_name(row->params));
  }
  if (ranked.size() > 1) verdict.ratio = ranked[1]->time->median_ns / ranked[0]->time->median_ns;
  if (verdict.tied.size() == 1) {
    if (ranked.size() > 1) verdict.winner = verdict.tied.front();
    verdict.tied.clear();
  }
  document.verdicts.push_back(std::move(verdict));
}

// A binary without CUDA has no strategies for GPUs; the host's are calculated in their place.
void note_stand_ins(const Plan& plan, const MachineProfile& machine, Document& document) {
  const bool host = std::ranges::any_of(plan.cases, [](const PlannedCase& planned) {
    return planned.strategy != nullptr && planned.strategy->device() == DeviceKind::host;
  });
  if (!host || machine.device() != DeviceKind::cuda) return;
  add_finding(
      document,
      {.kind = finding_kind("host-strategies"),
       .severity = Severity::warning,
       .subject = machine.name,
       .message = "this ringside is built without CUDA and knows no strategy of GPUs: the algorithms of "
                  "its host device (ring, tree, ...) are calculated with this machine's links",
       .evidence = {},
       .remedy = "build it where a CUDA toolkit of 12.8 or later is found; no GPU is needed for that"});
}

std::vector<Case> cases_of(const Plan& plan) {
  std::vector<Case> cases;
  for (const PlannedCase& planned : plan.cases) {
    if (!planned.skipped) cases.push_back(planned.params);
  }
  return cases;
}

}  // namespace

void run_model(const Plan& plan, const MachineProfile& machine, Document& document) {
  note_stand_ins(plan, machine, document);
  document.machine.facts.emplace_back("fit", fit_text(machine, cases_of(plan)));
  for (const PlannedCase& planned : plan.cases) {
    Row row;
    row.params = planned.params;
    row.origin = Origin::modelled;
    row.setting = planned.setting;
    if (planned.skipped) {
      row.findings = {add_finding(document, *planned.skipped)};
      document.rows.push_back(std::move(row));
      continue;
    }
    const Estimate estimate = estimate_on(machine, *planned.strategy, planned.params);
    if (estimate.choice) {
      row.ran = estimate.choice->ran;
      row.chosen_by = estimate.choice->chosen_by;
    }
    if (!(estimate.time_ns > 0 && estimate.time_ns < *ranges::kCallTime.most)) {  // a Document can't hold it
      row.findings = {add_finding(
          document,
          {.kind = finding_kind("not-admitted"),
           .severity = Severity::note,
           .subject = case_name(planned.params),
           .message = fmt::format("{} would take {:g} s by calculation: a week or more, or no time at all",
                                  case_name(planned.params), estimate.time_ns / 1e9),
           .evidence = {},
           .remedy = ""})};
      document.rows.push_back(std::move(row));
      continue;
    }
    row.status = Status::pass;
    row.time = Statistics{.samples = 0,
                          .median_ns = estimate.time_ns,
                          .interval95_ns = {},
                          .min_ns = estimate.time_ns,
                          .p90_ns = {},
                          .p99_ns = {}};
    row.algbw_gbps = static_cast<double>(planned.params.bytes.count) / estimate.time_ns;
    row.busbw_gbps = *row.algbw_gbps * wire_share(planned.params);
    const LinkLimits link{.one_way_latency_ns = machine.one_way_latency_ns,
                          .bandwidth_gbps = machine.bandwidth_gbps};
    row.floor_ns = floor_of(planned.params, InputState::fresh, link)->time_ns;
    row.of_floor = *row.floor_ns / estimate.time_ns;
    row.findings = {add_finding(
        document, {.kind = finding_kind("formula"),
                   .severity = Severity::note,
                   .subject = planned.params.strategy,
                   .message = fmt::format("{} is estimated as {}", planned.params.strategy, estimate.formula),
                   .evidence = {},
                   .remedy = ""})};
    document.rows.push_back(std::move(row));
  }
  for (const CaseGroup& group : plan.groups) judge_modelled(group, document);
  document.complete = true;
}

}  // namespace ringside
