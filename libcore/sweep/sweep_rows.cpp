#include "sweep/sweep_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "stats/clean_rounds.hpp"
#include "sweep/clock_record.hpp"
#include "sweep/floor.hpp"
#include "sweep/row_numbers.hpp"
#include "sweep/sweep_verdicts.hpp"

namespace ringside {
namespace {

constexpr int kTimeoutsAllowed = 2;

// Null if both are.
std::optional<double> better(std::optional<double> a, std::optional<double> b, bool larger) {
  if (!a || !b) return a ? a : b;
  return larger ? std::max(*a, *b) : std::min(*a, *b);
}

Finding not_reached() {
  return {.kind = finding_kind("not-reached"),
          .severity = Severity::warning,
          .subject = "sweep",
          .message = "not measured: the sweep ended before these cases had their turn",
          .evidence = {},
          .remedy = "run it again with a larger --budget, or with fewer strategies or messages"};
}

std::string group_name(const Case& params) {
  return fmt::format("{} {} {}", format_size(params.bytes), to_string(params.dtype), to_string(params.mode));
}

// In the order of the launches.
LaunchSamples& keep_better(std::vector<LaunchSamples>& launches, const LaunchSamples& more) {
  const auto place = std::ranges::lower_bound(launches, more.launch, {}, &LaunchSamples::launch);
  if (place == launches.end() || place->launch != more.launch) return *launches.insert(place, more);
  if (clean_rounds(more) > clean_rounds(*place)) *place = more;
  return *place;
}

// "7": whole seconds, which --budget takes.
std::string whole_seconds(std::chrono::nanoseconds time) {
  return fmt::format("{}", std::chrono::ceil<std::chrono::seconds>(time).count());
}

Finding describe(const Case& params, const AttemptResult::Failed& failed) {
  Finding finding;
  finding.severity = Severity::error;
  finding.subject = case_name(params);
  finding.evidence = failed.failure.evidence;
  if (failed.impossible) {
    finding.kind = finding_kind("impossible-time");
    finding.message = fmt::format("{} has no time: {}", case_name(params), failed.failure.message);
    finding.remedy = "measure it again on an idle machine";
  } else if (failed.wrong_data) {
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
  if (!result.results.empty()) {
    const Case& params = plan_.cases[result.results.front().case_index].params;
    disturbances_.add(group_name(params), result.disturbance);
  }
  for (const CandidateResult& candidate : result.results) {
    Row& row = document_.rows[candidate.case_index];
    if (candidate.no_time && !candidate.samples.disturbed_rounds.empty()) {
      note_busy(row, *candidate.no_time);
      continue;
    }
    row.status = Status::pass;
    std::erase(row.findings, not_reached().id());
    const bool timed = !candidate.samples.samples_ns.empty();  // nothing is, for a profiler
    LaunchSamples* const launch = timed ? &keep_better(row.launches, candidate.samples) : nullptr;
    Verification total = row.verification.value_or(Verification{0, 0, true});
    total.calls += candidate.verification.calls;
    total.elements += candidate.verification.elements;
    total.bitwise_across_ranks = total.bitwise_across_ranks && candidate.verification.bitwise_across_ranks;
    total.calls_in_a_row = std::max(total.calls_in_a_row, candidate.verification.calls_in_a_row);
    total.timed_repetitions += candidate.verification.timed_repetitions;
    row.verification = total;
    if (timed) row.input = plan_.request.input;
    if (candidate.unsafe) note_unsafe(row, *candidate.unsafe);
    if (candidate.no_time) {
      fail({.case_index = candidate.case_index,
            .failure = {TurnOutcome::Kind::error, *candidate.no_time, {}},
            .impossible = true});
      continue;
    }
    if (candidate.clocks) note_clocks(row, *candidate.clocks);
    if (candidate.skew && !row.skew) note_skew(row, *candidate.skew);
    if (result.limits) {
      note_link(row.params.bytes, *result.limits);
      note_floor(row, *result.limits, launch);
    }
    if (timed) update_numbers(row);
  }
}

void SweepRows::note_busy(Row& row, const std::string& why) {
  std::erase(row.findings, not_reached().id());
  const std::string id = add_finding(document_, busy_machine(row.params, why));
  if (std::ranges::count(row.findings, id) == 0) row.findings.push_back(id);
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

void SweepRows::note_floor(Row& row, const LinkLimits& limits, LaunchSamples* launch) {
  const std::optional<Floor> floor = floor_of(row.params, plan_.request.input, limits);
  if (!floor) {
    add_finding(document_, {.kind = finding_kind("floor-unknown"),
                            .severity = Severity::note,
                            .subject = "floor",
                            .message = "floor not known: " + why_no_floor(limits),
                            .evidence = {},
                            .remedy = ""});
    return;
  }
  if (launch != nullptr && !launch->floor_ns) launch->floor_ns = floor->time_ns;
  if (row.floor_ns && *row.floor_ns <= floor->time_ns) return;
  row.floor_ns = floor->time_ns;
  row.floor_uncertainty_ns = floor->uncertainty_ns;
}

void SweepRows::note_link(Bytes message, const LinkLimits& limits) {
  const LinkMeasurement measured{message, limits.one_way_latency_ns, limits.node_gap_ns,
                                 limits.bandwidth_gbps};
  auto& links = document_.links;
  const auto place =
      std::lower_bound(links.begin(), links.end(), message,
                       [](const LinkMeasurement& link, Bytes bytes) { return link.bytes < bytes; });
  if (place == links.end() || place->bytes != message) {
    links.insert(place, measured);
    return;
  }
  // At best: of several launches the best one.
  place->one_way_latency_ns = better(place->one_way_latency_ns, measured.one_way_latency_ns, false);
  place->node_gap_ns = better(place->node_gap_ns, measured.node_gap_ns, false);
  place->bandwidth_gbps = better(place->bandwidth_gbps, measured.bandwidth_gbps, true);
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
  forget_numbers(row);
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

void SweepRows::note_cores(int usable) {
  if (plan_.request.ranks > usable) add_finding(document_, cores_shared(plan_.request.ranks, usable));
}

// The budget ended before them.
void SweepRows::describe_unreached() {
  const auto found = std::ranges::find(document_.findings, not_reached().id(), &Finding::id);
  if (found == document_.findings.end()) return;
  found->message = fmt::format("not measured: the time budget of {} ended before these cases had their turn",
                               format_duration(plan_.request.budget));
  constexpr std::size_t kMost = 8;
  std::vector<std::string> groups;
  for (const CaseGroup& group : plan_.groups) {
    for (const std::size_t index : group.cases) {
      const std::string name = group_name(plan_.cases[index].params);
      const bool known = !groups.empty() && groups.back() == name;
      if (!known && std::ranges::count(document_.rows[index].findings, not_reached().id()) > 0)
        groups.push_back(name);
    }
  }
  const std::size_t more = groups.size() > kMost ? groups.size() - kMost : 0;
  groups.resize(groups.size() - more);
  if (more > 0) groups.push_back(fmt::format("and {} more", more));
  found->evidence = std::move(groups);
}

bool SweepRows::finish(bool interrupted, std::chrono::nanoseconds least_budget) {
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
  } else {
    describe_unreached();
    if (std::ranges::all_of(document_.rows, [](const Row& row) { return row.status == Status::skipped; }))
      note_nothing_measured(unreached, least_budget);
  }
  disturbances_.add_findings(plan_.request.device, document_);
  judge_sweep(plan_, document_);
  return !interrupted && !unreached && !misses_a_time(document_);
}

void SweepRows::note_nothing_measured(bool unreached, std::chrono::nanoseconds least_budget) {
  const std::chrono::nanoseconds would_do =
      std::max<std::chrono::nanoseconds>(least_budget, plan_.request.budget + std::chrono::seconds(1));
  Finding finding{
      .kind = finding_kind("nothing-measured"),
      .severity = Severity::error,
      .subject = "sweep",
      .message = unreached ? fmt::format("nothing was measured: a budget of {} is too short here for one "
                                         "verified round of any case",
                                         format_duration(plan_.request.budget))
                           : "nothing was measured: no case could be run",
      .evidence = {},
      .remedy = unreached
                    ? fmt::format("run it again with --budget {}, the smallest that would do by what was "
                                  "seen in this run",
                                  whole_seconds(would_do))
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

}  // namespace ringside
