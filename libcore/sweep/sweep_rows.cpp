#include "sweep/sweep_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "sweep/clock_record.hpp"
#include "sweep/group_verdict.hpp"
#include "sweep/row_numbers.hpp"
#include "sweep/row_ratios.hpp"

namespace ringside {
namespace {

constexpr int kTimeoutsAllowed = 2;

// What the link allows at best: the flag's way, the bytes that a rank must take in, the gap between two
// nodes.
double floor_ns(const Case& params, const LinkLimits& limits) {
  const double share = wire_share(params);
  const double transfer = limits.bandwidth_gbps > 0
                              ? share * static_cast<double>(params.bytes.count) / limits.bandwidth_gbps
                              : 0;  // bytes per ns = GB/s
  return limits.one_way_latency_ns + transfer + (params.mode == Mode::graph ? limits.node_gap_ns : 0);
}

Finding not_reached() {
  return {.kind = finding_kind("not-reached"),
          .severity = Severity::warning,
          .subject = "sweep",
          .message = "the sweep ended before these cases were measured",
          .evidence = {},
          .remedy = "run it again with a larger --budget, or with fewer strategies or messages"};
}

Finding describe(const Case& params, const AttemptResult::Failed& failed) {
  Finding finding;
  finding.severity = Severity::error;
  finding.subject = case_name(params);
  finding.evidence = failed.failure.evidence;
  if (failed.wrong_data) {
    finding.kind = finding_kind("wrong-data");
    finding.message = fmt::format("{} gave a wrong result: {}", case_name(params), failed.failure.message);
    finding.remedy = "don't use this strategy on this box";
  } else if (failed.failure.kind == TurnOutcome::Kind::timeout) {
    finding.kind = finding_kind("timeout");
    finding.message = fmt::format("{} did not end in time: {}", case_name(params), failed.failure.message);
    finding.remedy = "if the box is only slow, allow more time with --timeout";
  } else if (failed.failure.kind == TurnOutcome::Kind::lost) {
    finding.kind = finding_kind("rank-lost");
    finding.message = fmt::format("{} lost a rank: {}", case_name(params), failed.failure.message);
    finding.remedy = "see what the rank printed, and the kernel's log for the out-of-memory killer";
  } else {
    finding.kind = finding_kind("strategy-error");
    finding.message = fmt::format("{} could not run: {}", case_name(params), failed.failure.message);
  }
  return finding;
}

// "auto" takes anything; "RING" is met by "RING" and by "RING/LL".
bool as_asked(const std::string& asked, const std::string& ran) {
  return asked == "auto" || ran == asked || ran.starts_with(asked + "/");
}

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

}  // namespace

SweepRows::SweepRows(const Plan& plan, Document& document)
    : plan_(plan), document_(document), open_(plan.cases.size(), true) {
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const PlannedCase& planned = plan.cases[index];
    Row row;
    row.params = planned.params;
    row.setting = planned.setting;
    document.rows.push_back(std::move(row));
    if (planned.skipped) {
      skip(index, *planned.skipped);
    } else {
      document.rows.back().findings = {add_finding(document, not_reached())};
    }
  }
}

void SweepRows::skip(std::size_t case_index, Finding finding) {
  Row& row = document_.rows[case_index];
  row.status = Status::skipped;
  row.findings = {add_finding(document_, std::move(finding))};
  open_[case_index] = false;
}

void SweepRows::add(const AttemptResult& result) {
  for (const CandidateResult& candidate : result.results) {
    Row& row = document_.rows[candidate.case_index];
    row.status = Status::pass;
    std::erase(row.findings, not_reached().id());
    const bool timed = !candidate.samples.samples_ns.empty();  // nothing is, for a profiler
    if (timed) row.launches.push_back(candidate.samples);
    Verification total = row.verification.value_or(Verification{0, 0, true});
    total.calls += candidate.verification.calls;
    total.elements += candidate.verification.elements;
    total.bitwise_across_ranks = total.bitwise_across_ranks && candidate.verification.bitwise_across_ranks;
    total.calls_in_a_row = std::max(total.calls_in_a_row, candidate.verification.calls_in_a_row);
    total.timed_repetitions += candidate.verification.timed_repetitions;
    row.verification = total;
    if (timed) row.input = plan_.request.input;
    if (candidate.unsafe) note_unsafe(row, *candidate.unsafe);
    if (candidate.clocks) note_clocks(row, *candidate.clocks);
    if (candidate.skew && !row.skew) note_skew(row, *candidate.skew);
    if (result.limits) {
      note_link(row.params.bytes, *result.limits);
      const double floor = floor_ns(row.params, *result.limits);
      row.floor_ns = std::min(row.floor_ns.value_or(floor), floor);
      if (timed) row.launches.back().floor_ns = floor;
    }
    if (timed) update_numbers(row);
  }
}

void SweepRows::note_strategy_choices(const AttemptResult& result) {
  for (const CandidateResult& candidate : result.results) {
    if (!candidate.choice) continue;
    Row& row = document_.rows[candidate.case_index];
    add_ran(row, candidate.choice->ran, candidate.choice->chosen_by);
    if (!candidate.choice->problem) continue;
    const std::string id = add_finding(document_, *candidate.choice->problem);
    if (std::ranges::count(row.findings, id) == 0) row.findings.push_back(id);
  }
}

void SweepRows::note_choice(std::size_t case_index, const std::string& asked,
                            const std::optional<LibraryReport>& report) {
  Row& row = document_.rows[case_index];
  row.asked = asked;
  row.ran = report ? std::optional(report->ran) : std::nullopt;
  row.channels = report ? report->channels : std::nullopt;
  if (!report || as_asked(asked, report->ran)) return;
  row.findings.push_back(
      add_finding(document_, {.kind = finding_kind("asked-not-run"),
                              .severity = Severity::warning,
                              .subject = row.params.strategy,
                              .message = fmt::format("{} asks for {}, but its library ran something else",
                                                     row.params.strategy, asked),
                              .evidence = {fmt::format("{} {}: {}", format_size(row.params.bytes),
                                                       to_string(row.params.dtype), report->ran)},
                              .remedy = "read these rows as what ran, not as what was asked for"}));
}

void SweepRows::note_link(Bytes message, const LinkLimits& limits) {
  LinkMeasurement measured{message, limits.one_way_latency_ns, limits.node_gap_ns, std::nullopt};
  if (limits.bandwidth_gbps > 0) measured.bandwidth_gbps = limits.bandwidth_gbps;
  auto& links = document_.links;
  const auto place =
      std::lower_bound(links.begin(), links.end(), message,
                       [](const LinkMeasurement& link, Bytes bytes) { return link.bytes < bytes; });
  if (place == links.end() || place->bytes != message) {
    links.insert(place, measured);
    return;
  }
  // At best: of several launches the best one.
  place->one_way_latency_ns = std::min(place->one_way_latency_ns, measured.one_way_latency_ns);
  place->node_gap_ns = std::min(place->node_gap_ns, measured.node_gap_ns);
  if (measured.bandwidth_gbps) {
    place->bandwidth_gbps = std::max(place->bandwidth_gbps.value_or(0), *measured.bandwidth_gbps);
  }
}

void SweepRows::note_clocks(Row& row, const ClockRecord& clocks) {
  if (!row.clocks) row.clocks = clocks;
  add_clocks(*row.clocks, clocks);
  if (clocks.held_by.empty()) return;
  const std::string id =
      add_finding(document_, {.kind = finding_kind("clocks-held"),
                              .severity = Severity::warning,
                              .subject = "GPU clocks",
                              .message = "GPUs were held below their clocks while they were measured",
                              .evidence = {fmt::format("{}: {}, SM at {} MHz", case_name(row.params),
                                                       join(clocks.held_by, ", "), clocks.sm_mhz_min)},
                              .remedy = "compare such rows with care; look at power limit and cooling"});
  if (std::find(row.findings.begin(), row.findings.end(), id) == row.findings.end())
    row.findings.push_back(id);
}

void SweepRows::note_unsafe(Row& row, const std::string& what) {
  const std::string id = add_finding(
      document_, {.kind = finding_kind("unsafe-after-producer"),
                  .severity = Severity::warning,
                  .subject = row.params.strategy,
                  .message = fmt::format(
                      "{} is unsafe after a programmatic producer: its library reads the input before the "
                      "kernel that writes it has ended",
                      row.params.strategy),
                  .evidence = {fmt::format("{}: {}", case_name(row.params), what)},
                  .remedy = "with this NCCL, launch no kernel with programmatic completion ahead of it; "
                            "newer versions may wait"});
  if (std::ranges::count(row.findings, id) == 0) row.findings.push_back(id);
}

void SweepRows::note_skew(Row& row, const SkewRecord& skew) {
  row.skew = skew;
  const std::string name = entry_name(row.params);
  row.findings.push_back(add_finding(
      document_,
      {.kind = finding_kind("skew"),
       .severity = Severity::note,
       .subject = name,
       .message = fmt::format("{} when one rank comes {} late", name, format_time_ns(skew.delay_ns)),
       .evidence = {fmt::format(
           "{} {} {}: the others were in the call for {}; it ended {} after the late rank came",
           format_size(row.params.bytes), to_string(row.params.dtype), to_string(row.params.mode),
           format_time_ns(skew.others_ns), format_time_ns(skew.after_arrival_ns))},
       .remedy = ""}));
}

void SweepRows::fail(const AttemptResult::Failed& failed) {
  Row& row = document_.rows[failed.case_index];
  if (failed.unavailable) {
    return skip(failed.case_index, {.kind = finding_kind("not-available"),
                                    .severity = Severity::note,
                                    .subject = case_name(row.params),
                                    .message = failed.failure.message,
                                    .evidence = {},
                                    .remedy = ""});
  }
  const bool timeout = failed.failure.kind == TurnOutcome::Kind::timeout;
  row.status = timeout ? Status::timeout : Status::failed;
  row.findings = {add_finding(document_, describe(row.params, failed))};
  // A strategy that failed once gets no time, whatever an earlier launch measured; the samples stay as
  // evidence.
  row.time.reset();
  row.algbw_gbps.reset();
  row.busbw_gbps.reset();
  row.of_floor.reset();
  open_[failed.case_index] = false;
  if (!timeout || ++timeouts_[row.params.strategy] < kTimeoutsAllowed) return;
  const Finding given_up{.kind = finding_kind("too-many-timeouts"),
                         .severity = Severity::warning,
                         .subject = row.params.strategy,
                         .message = fmt::format("{} timed out {} times; its remaining cases are not tried",
                                                row.params.strategy, kTimeoutsAllowed),
                         .evidence = {},
                         .remedy = ""};
  for (std::size_t index = 0; index < open_.size(); ++index) {
    Row& other = document_.rows[index];
    if (!open_[index] || other.params.strategy != row.params.strategy) continue;
    if (other.launches.empty() && other.status != Status::pass) {
      skip(index, given_up);
    } else {  // what earlier launches measured stays
      open_[index] = false;
      other.findings.push_back(add_finding(document_, given_up));
    }
  }
}

void SweepRows::note_restart(const TurnFailure& failure) {
  Finding finding{
      .kind = finding_kind("ranks-restarted"),
      .severity = Severity::warning,
      .subject = "sweep",
      .message = "ranks failed between two cases, or as a launch began or ended; the times are whole",
      .evidence = {failure.message},
      .remedy = "see what the ranks printed; the kernel's log knows whether one was killed"};
  finding.evidence.insert(finding.evidence.end(), failure.evidence.begin(), failure.evidence.end());
  add_finding(document_, std::move(finding));
}

bool SweepRows::finish(bool interrupted) {
  bool unreached = false;
  for (Row& row : document_.rows) unreached = unreached || row.findings == std::vector{not_reached().id()};
  std::erase_if(document_.findings, [&](const Finding& finding) {
    return finding.kind == finding_kind("not-reached") && !unreached;
  });
  if (interrupted) {
    for (Finding& finding : document_.findings) {
      if (finding.kind == finding_kind("not-reached")) finding.remedy.clear();  // not for want of time
    }
    add_finding(document_, {.kind = finding_kind("interrupted"),
                            .severity = Severity::warning,
                            .subject = "sweep",
                            .message = "the sweep was interrupted; what was finished by then is kept",
                            .evidence = {},
                            .remedy = ""});
  } else if (std::ranges::all_of(document_.rows,
                                 [](const Row& row) { return row.status == Status::skipped; })) {
    note_nothing_measured(unreached);
  }
  if (plan_.apart) note_apart();
  for (const std::vector<std::size_t>& cases : cases_to_judge(plan_)) judge(cases);
  return !interrupted && !unreached;
}

void SweepRows::note_nothing_measured(bool unreached) {
  Finding finding{.kind = finding_kind("nothing-measured"),
                  .severity = Severity::error,
                  .subject = "sweep",
                  .message = "nothing was measured: no case could be run",
                  .evidence = {},
                  .remedy = unreached ? "run it again with a larger --budget"
                                      : "choose other strategies: ringside list strategies"};
  constexpr std::size_t kMost = 5;
  std::set<std::string> told;
  for (const Row& row : document_.rows) {
    for (const std::string& id : row.findings) {
      const Finding* const reason = document_.find(id);
      if (reason != nullptr && told.size() < kMost && told.insert(id).second)
        finding.evidence.push_back(fmt::format("{}: {}", reason->subject, reason->message));
    }
  }
  add_finding(document_, std::move(finding));
}

void SweepRows::note_apart() {
  Finding finding{.kind = finding_kind("measured-apart"),
                  .severity = Severity::warning,
                  .subject = "sweep",
                  .message =
                      "memory holds one group of ranks at a time: strategies that need another "
                      "environment were measured one after the other, not in turns; no winner is named "
                      "between them",
                  .evidence = {},
                  .remedy = "free memory, or use smaller messages or fewer strategies"};
  for (const PlannedCase& planned : plan_.cases) {
    if (planned.skipped || planned.rank_group == 0) continue;
    const std::string fact = fmt::format("after the others: {}", entry_name(planned.params));
    if (std::ranges::count(finding.evidence, fact) == 0) finding.evidence.push_back(fact);
  }
  add_finding(document_, std::move(finding));
}

void SweepRows::judge(const std::vector<std::size_t>& cases) {
  std::vector<Row*> passed;
  for (const std::size_t index : cases) {
    if (document_.rows[index].status == Status::pass && document_.rows[index].time)
      passed.push_back(&document_.rows[index]);
  }
  if (passed.empty()) return;
  note_ratios(passed);
  const std::vector<const Row*> rows(passed.begin(), passed.end());
  GroupVerdict verdict = judge_rows(rows, plan_.request.launches);
  add_finding(document_, describe_verdict(verdict, rows));
  document_.verdicts.push_back(std::move(verdict));
}

}  // namespace ringside
