#include "gate/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "gate/cases.hpp"
#include "gate/conditions.hpp"
#include "gate/fingerprint_match.hpp"
#include "gate/guards.hpp"
#include "gate/look.hpp"
#include "gate/merge_launches.hpp"
#include "machine/resources.hpp"

namespace ringside {

namespace {

std::vector<std::string> describe_all(const std::vector<FactDifference>& differences) {
  std::vector<std::string> lines;
  for (const FactDifference& difference : differences) lines.push_back(describe(difference));
  return lines;
}

// Copies a row but for its launches and its skew, which are most of it: they stay in the file that they came
// from.
struct CopyWithoutLaunches {
  const Row& from;
  Row& to;

  struct Options {
    const Options& since_minor(int) const { return *this; }
    const Options& not_empty() const { return *this; }
    const Options& matches(std::string_view) const { return *this; }
  };
  void record(std::string_view, std::string_view) const {}
  template <typename Value>
  Options add(std::string_view, Value Row::*field, std::string_view, const FieldRange& = ranges::kAny) const {
    to.*field = from.*field;
    return {};
  }
  Options add(std::string_view, std::vector<LaunchSamples> Row::*, std::string_view) const { return {}; }
  Options add(std::string_view, std::optional<SkewRecord> Row::*, std::string_view) const { return {}; }
};

// Everything of the row but what comparing replaces.
Row without_launches(const Row& row) {
  Row copy;
  const CopyWithoutLaunches fields{row, copy};
  describe(fields, &row);
  copy.comparison.reset();
  if (!has_failed(row) && row.status != Status::skipped) copy.findings.clear();
  return copy;
}

constexpr double kWidestThreshold = 1;  // beyond it a case twice as slow would pass

void set_first_verdict(Row& row, const std::string& quality_issue, double within) {
  Comparison& comparison = *row.comparison;
  const ComparisonStage& stage = comparison.stages.front();
  row.status = Status::ambiguous;
  const std::size_t launches = std::min(stage.base_ns.size(), stage.new_ns.size());
  if (launches < kLaunchesForVerdict) {
    comparison.reason = fmt::format("needs {} launches a side, has {} and {}", kLaunchesForVerdict,
                                    stage.base_ns.size(), stage.new_ns.size());
    return;
  }
  if (!quality_issue.empty()) {
    comparison.reason = quality_issue;
    return;
  }
  switch (judge(stage, comparison.threshold, within)) {
    case Change::none:
      if (comparison.threshold > kWidestThreshold) {
        comparison.reason = fmt::format("a threshold of {:.0f} % judges nothing: measure on a quiet machine",
                                        100 * comparison.threshold);
        break;
      }
      row.status = Status::pass;
      break;
    case Change::faster:
      row.status = Status::improve;
      break;
    case Change::slower:
      row.status = Status::regress;
      break;
    case Change::unclear:
      comparison.reason = "no change is shown, but the interval is too wide to rule one out";
  }
}

// A case on both sides; either row may be null, not both.
struct CasePair {
  std::string key;
  const Row* old = nullptr;
  const Row* fresh = nullptr;
};

constexpr std::size_t kWorthAThread = 256;  // cases

// In the order of the new result; behind them what only the base has.
std::vector<CasePair> pair_cases(const Document& base, const Document& now) {
  RowsByKey old_rows;
  std::vector<CasePair> pairs(now.rows.size());
  const auto name_new = [&] {
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {case_key(now.rows[i].params), nullptr, &now.rows[i]};
  };
  parallel_parts(2, 1, usable_cores(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t side = begin; side < end; ++side) {
      if (side == 0) old_rows = rows_by_key(base);
      if (side == 1) name_new();
    }
  });
  for (CasePair& pair : pairs) {
    if (const auto found = old_rows.find(pair.key); found != old_rows.end()) pair.old = found->second;
  }
  for (const CasePair& pair : pairs) old_rows.erase(pair.key);
  if (old_rows.empty()) return pairs;
  for (const Row& row : base.rows) {
    std::string key = case_key(row.params);
    if (old_rows.erase(key) > 0) pairs.push_back({std::move(key), &row, nullptr});
  }
  return pairs;
}

struct Comparer {
  const Document& base;
  const Document& now;
  const std::optional<Calibration>& calibration;
  Sides sides;
  bool judged;
  std::string issue_of_all;

  Row compare(const CasePair& pair) const {
    const Row* const old = pair.old;
    const Row* const fresh = pair.fresh;
    Row row;
    if (fresh != nullptr) {
      row = without_launches(*fresh);
    } else {
      row.params = old->params;
    }
    Comparison comparison;
    if (old != nullptr && fresh != nullptr && was_measured(*old) && was_measured(*fresh)) {
      ComparisonStage stage = look(launch_medians(*old), launch_medians(*fresh));
      const std::size_t launches = std::min(stage.base_ns.size(), stage.new_ns.size());
      const auto calibrated = [&](Sides when) {
        return calibration ? calibration->threshold(pair.key, launches, when) : std::nullopt;
      };
      set_threshold(comparison, stage, calibrated(sides));
      const bool on_gpu = row.params.device == DeviceKind::cuda;
      const std::string reason =
          on_gpu && !issue_of_all.empty()
              ? issue_of_all
              : quality_issue(*old, *fresh, shift_that_matters(stage, comparison.threshold), sides);
      comparison.stages.push_back(std::move(stage));
      row.comparison = std::move(comparison);
      set_first_verdict(row, judged ? reason : "not judged: another machine",
                        unchanged_within(calibrated(Sides::in_turn)));
      return row;
    }
    if (fresh == nullptr) {
      comparison.reason = "not in the new result";
    } else if (old == nullptr) {
      if (was_measured(*fresh)) row.status = Status::skipped;
      comparison.reason = "not in the base";
    } else if (was_measured(*fresh)) {
      row.status = has_failed(*old) ? Status::improve : Status::skipped;
      comparison.reason = has_failed(*old) ? "it did not work in the base" : "it was skipped in the base";
    } else {
      if (!has_failed(*fresh)) row.status = Status::skipped;
      comparison.reason = was_measured(*old) ? "it was measured in the base"
                          : has_failed(*old) ? "it did not work in the base either"
                                             : "it was skipped in the base as well";
    }
    row.comparison = std::move(comparison);
    return row;
  }
};

// A case that a fresh result no longer has a time for: one finding for all that were not measured, one for
// each that failed.
void note_loss(Document& result, Row& row) {
  const std::string name = case_name(row.params);
  if (has_failed(row)) {
    row.findings.push_back(
        add_finding(result, {.kind = finding_kind("no-longer-works"),
                             .severity = Severity::error,
                             .subject = name,
                             .message = fmt::format("{} worked in the base and no longer does", name),
                             .evidence = {},
                             .remedy = ""}));
    return;
  }
  row.findings.push_back(
      add_finding(result, {.kind = finding_kind("no-longer-measured"),
                           .severity = Severity::error,
                           .subject = "new result",
                           .message = "cases of the base have no time in the new result",
                           .evidence = {fmt::format("{}: {}", name, row.comparison->reason)},
                           .remedy = "measure them again, or leave them out of the base"}));
}

void copy_findings(Document& result, const Document& now) {
  for (const Row& row : result.rows) {
    for (const std::string& id : row.findings) {
      if (const Finding* finding = now.find(id)) add_finding(result, *finding);
    }
  }
  for (const Finding& finding : now.findings) {
    if (finding.kind == finding_kind("slowdown-injected")) add_finding(result, finding);
  }
}

// Nothing at all was compared, and no finding about a case says so.
void note_nothing_compared(Document& result) {
  const bool compared = std::ranges::any_of(result.rows, [](const Row& row) {
    return !row.comparison->stages.empty() || row.status == Status::improve;
  });
  const bool told = std::ranges::any_of(result.findings, [](const Finding& finding) {
    return finding.kind == finding_kind("no-longer-measured") ||
           finding.kind == finding_kind("no-longer-works");
  });
  if (compared || told) return;
  add_finding(result, {.kind = finding_kind("nothing-compared"),
                       .severity = Severity::error,
                       .subject = "comparison",
                       .message = "nothing was compared: no case has a time on both sides",
                       .evidence = {},
                       .remedy = "measure the base again"});
}

// Whether the case looks slower than launches of one time account for, and nobody knows what this machine
// does between times.
bool may_be_the_time(const Row& row, const std::optional<Calibration>& calibration) {
  if (row.comparison->stages.empty()) return false;
  const std::string key = case_key(row.params);
  const ComparisonStage& stage = row.comparison->stages.front();
  const std::size_t launches = std::min(stage.base_ns.size(), stage.new_ns.size());
  const double within =
      unchanged_within(calibration ? calibration->threshold(key, launches, Sides::in_turn) : std::nullopt);
  return judge(stage, within, 0) == Change::slower && !(calibration && calibration->knows_runs(key));
}

void note_unknown_times(Document& result, const std::optional<Calibration>& calibration) {
  if (std::ranges::none_of(result.rows, [&](const Row& row) { return may_be_the_time(row, calibration); }))
    return;
  add_finding(result,
              {.kind = finding_kind("times-unknown"),
               .severity = Severity::warning,
               .subject = "comparison",
               .message = "the sides are of different times, and how much this machine changes between times "
                          "is not known",
               .evidence = {},
               .remedy = fmt::format("calibrate it at {} times or more (probe-comm --calibrate), or measure "
                                     "both builds in turn (--against)",
                                     kRunsToKnow)});
}

}  // namespace

ComparisonSide make_side(std::vector<Document> documents, std::vector<std::string> files,
                         bool across_machines) {
  if (documents.empty()) throw UsageError("a comparison needs a base and a new result: compare BASE NEW");
  ComparisonSide side{std::move(documents.front()), std::move(files)};
  for (std::size_t i = 1; i < documents.size(); ++i) {
    const auto differences = differing_facts(side.document.machine, documents[i].machine);
    if (!differences.empty() && !across_machines) {
      throw UsageError(fmt::format("{} and {} are from different machines ({})", side.files[0], side.files[i],
                                   join(describe_all(differences), "; ")));
    }
    merge_launches(side.document, std::move(documents[i]));
  }
  return side;
}

Document compare(const ComparisonSide& base, const ComparisonSide& now,
                 const std::optional<Calibration>& calibration, Sides sides, bool across_machines) {
  const auto differences = differing_facts(base.document.machine, now.document.machine);
  if (!differences.empty() && !across_machines) {
    throw UsageError(
        fmt::format("the base and the new result are from different machines ({}); --across-machines reports "
                    "the ratios without judging them",
                    join(describe_all(differences), "; ")));
  }
  Document result;
  result.complete = base.document.complete && now.document.complete;
  result.started = now.document.started;
  result.machine = now.document.machine;
  result.environment = now.document.environment;
  const auto describe_side = [](const ComparisonSide& side) -> ComparedSide {
    return {side.files, side.document.tool, side.document.machine.name, side.document.started};
  };
  result.comparison = ComparisonMethod{.base = describe_side(base),
                                       .now = describe_side(now),
                                       .judged = differences.empty(),
                                       .alpha = kGateAlpha,
                                       .calibration = calibration ? calibration->origin : "",
                                       .confirmation = ""};
  const Comparer comparer{base.document, now.document,        calibration,
                          sides,         differences.empty(), quality_issue(base.document, now.document)};
  const std::vector<CasePair> pairs = pair_cases(base.document, now.document);
  result.rows.reserve(pairs.size());
  prefer_large_pages(result.rows.data(), result.rows.capacity() * sizeof(Row));
  result.rows.resize(pairs.size());
  parallel_parts(pairs.size(), kWorthAThread, usable_cores(),
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) result.rows[i] = comparer.compare(pairs[i]);
                 });
  copy_findings(result, now.document);
  std::vector<RowPair> on_both_sides;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Row& row = result.rows[i];
    if (row.comparison->stages.empty() && pairs[i].old != nullptr && was_measured(*pairs[i].old) &&
        row.status != Status::improve)
      note_loss(result, row);
    if (pairs[i].old == nullptr || pairs[i].fresh == nullptr) continue;
    on_both_sides.emplace_back(pairs[i].old, pairs[i].fresh);
    note_other_kernel(result, row, on_both_sides.back());
  }
  // An interrupted side has launches of some cases, and too few for a verdict.
  for (Row& row : result.rows) {
    const auto& stages = row.comparison->stages;
    if (now.document.complete || stages.empty() || stages[0].new_ns.size() >= kLaunchesForVerdict ||
        stages[0].base_ns.size() < kLaunchesForVerdict)
      continue;
    note_loss(result, row);
  }
  note_nothing_compared(result);
  if (!differences.empty()) {
    add_finding(result, {.kind = finding_kind("machines-differ"),
                         .severity = Severity::warning,
                         .subject = "comparison",
                         .message = "the two sides are from different machines: ratios are shown, not judged",
                         .evidence = describe_all(differences),
                         .remedy = ""});
  }
  note_conditions(result, base.document, now.document, on_both_sides);
  if (sides == Sides::apart && differences.empty()) note_unknown_times(result, calibration);
  return result;
}

}  // namespace ringside
