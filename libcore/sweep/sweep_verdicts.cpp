#include "sweep/sweep_verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "sweep/floor.hpp"
#include "sweep/group_verdict.hpp"
#include "sweep/row_numbers.hpp"
#include "sweep/row_ratios.hpp"

namespace ringside {
namespace {

// The cases of each size, dtype and mode, with which verdicts are given: where rank groups ran one after the
// other, those of all of them. In the order of the cases.
std::vector<std::vector<std::size_t>> cases_to_judge(const Plan& plan) {
  std::vector<std::vector<std::size_t>> judged;
  for (const CaseGroup& group : plan.groups) {
    const Case& params = plan.cases[group.cases.front()].params;
    const auto same = std::ranges::find_if(judged, [&](const std::vector<std::size_t>& cases) {
      const Case& other = plan.cases[cases.front()].params;
      return group.turn_group > 0 && other.collective == params.collective && other.load == params.load &&
             other.bytes == params.bytes && other.dtype == params.dtype && other.mode == params.mode;
    });
    if (same == judged.end()) {
      judged.push_back(group.cases);
    } else {
      same->insert(same->end(), group.cases.begin(), group.cases.end());
    }
  }
  for (std::vector<std::size_t>& cases : judged) std::ranges::sort(cases);
  std::ranges::sort(judged, {}, [](const std::vector<std::size_t>& cases) { return cases.front(); });
  return judged;
}

void note_apart(const Plan& plan, Document& document) {
  Finding finding{.kind = finding_kind("measured-apart"),
                  .severity = Severity::warning,
                  .subject = "sweep",
                  .message =
                      "memory holds one group of ranks at a time: strategies that need another "
                      "environment were measured one after the other, not in turns; no winner is named "
                      "between them",
                  .evidence = {},
                  .remedy = "free memory, or use smaller messages or fewer strategies"};
  for (const PlannedCase& planned : plan.cases) {
    if (planned.skipped || planned.rank_group == 0) continue;
    const std::string fact = fmt::format("after the others: {}", entry_name(planned.params));
    if (std::ranges::count(finding.evidence, fact) == 0) finding.evidence.push_back(fact);
  }
  add_finding(document, std::move(finding));
}

// No call is faster than the link: either the strategy did not do its work in the timed calls, or the floor
// was measured wrong, as it may be where other work had the cores. Which of them is not known, so the row has
// no time.
void refuse_impossible_time(Document& document, Row& row) {
  if (row.status != Status::pass || !row.time || !row.floor_ns) return;
  const Floor floor{*row.floor_ns, row.floor_uncertainty_ns.value_or(0)};
  const double median_ns = row.time->median_ns;
  if (!below(median_ns, floor)) return;
  forget_numbers(row);
  const bool busy = std::ranges::any_of(
      row.launches, [](const LaunchSamples& launch) { return !launch.disturbed_rounds.empty(); });
  if (busy) {
    row.status = Status::skipped;
    row.findings.push_back(add_finding(
        document, busy_machine(row.params, "it lies below the floor, and other work had the cores")));
    return;
  }
  const std::string name = case_name(row.params);
  row.status = Status::failed;
  row.findings.push_back(add_finding(
      document,
      {.kind = finding_kind("impossible-time"),
       .severity = Severity::error,
       .subject = name,
       .message = fmt::format("the time of {} cannot be: {} lies below the floor, {}", name,
                              format_time_ns(median_ns), format_time_ns(floor.time_ns)),
       .evidence = {fmt::format("the floor may be off by {}", format_time_ns(floor.uncertainty_ns))},
       .remedy = "measure it again; if it stays, the strategy does not do its work in timed calls, or the "
                 "floor of this box is measured wrong"}));
}

void judge(const Plan& plan, const std::vector<std::size_t>& cases, Document& document) {
  std::vector<Row*> passed;
  for (const std::size_t index : cases) {
    if (document.rows[index].status == Status::pass && document.rows[index].time)
      passed.push_back(&document.rows[index]);
  }
  if (passed.empty()) return;
  note_ratios(passed);
  const std::vector<const Row*> rows(passed.begin(), passed.end());
  GroupVerdict verdict = judge_rows(rows, plan.request.launches);
  add_finding(document, describe_verdict(verdict, rows));
  document.verdicts.push_back(std::move(verdict));
}

}  // namespace

Finding busy_machine(const Case& params, const std::string& why) {
  return {.kind = finding_kind("machine-busy"),
          .severity = Severity::warning,
          .subject = case_name(params),
          .message = fmt::format("{} has no time in one launch or more: {}", case_name(params), why),
          .evidence = {},
          .remedy = "end what else runs on this machine, or wait for it, and run it again"};
}

bool misses_a_time(const Document& document) {
  return std::ranges::any_of(document.rows, [](const Row& row) {
    return row.status == Status::skipped &&
           std::ranges::count(row.findings, busy_machine(row.params, "").id()) > 0;
  });
}

void judge_sweep(const Plan& plan, Document& document) {
  for (Row& row : document.rows) refuse_impossible_time(document, row);
  if (plan.apart) note_apart(plan, document);
  for (const std::vector<std::size_t>& cases : cases_to_judge(plan)) judge(plan, cases, document);
}

}  // namespace ringside
