#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "gate/cases.hpp"
#include "gate/compare.hpp"
#include "gate/guards.hpp"
#include "gate/look.hpp"
#include "model/enum_names.hpp"

namespace ringside {

template <>
struct EnumNames<FailOn> {
  static constexpr std::string_view what = "--fail-on";
  static constexpr std::array names = {"none", "regress", "ambiguous"};
};

namespace {

// A second look at the same base, and none at all: how many thresholds a suspect must then lie beyond to keep
// false alarms as rare as with fresh launches of both sides (docs/compare.md has the rates).
constexpr double kMarginSeenBase = 1.4;
constexpr double kMarginUnconfirmed = 2;

// Without a second look only what lies beyond more thresholds counts. `why` there is none, for a suspect that
// does not.
void judge_first_look(Row& row, const char* why) {
  Comparison& comparison = *row.comparison;
  if (judge(comparison.stages.front(), kMarginUnconfirmed * comparison.threshold, 0) == Change::slower) {
    comparison.reason = "beyond twice the threshold";
  } else {
    row.status = Status::ambiguous;
    comparison.reason = why;
  }
}

}  // namespace

FailOn parse_fail_on(std::string_view text) {
  return parse_name<FailOn>(text);
}

std::vector<std::size_t> suspects(const Document& result) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const Row& row = result.rows[i];
    if (row.status == Status::regress && row.comparison && row.comparison->stages.size() == 1)
      rows.push_back(i);
  }
  return rows;
}

void confirm(Document& result, const Document& base, const Document& now, BaseLaunches launches,
             const std::string& how) {
  const double margin = launches == BaseLaunches::seen ? kMarginSeenBase : 1;
  const Sides sides = launches == BaseLaunches::seen ? Sides::apart : Sides::in_turn;
  const RowsByKey old_rows = rows_by_key(base);
  const RowsByKey new_rows = rows_by_key(now);
  for (const std::size_t index : suspects(result)) {
    Row& row = result.rows[index];
    Comparison& comparison = *row.comparison;
    const std::string key = case_key(row.params);
    const auto old = old_rows.find(key);
    const auto fresh = new_rows.find(key);
    const bool both = old != old_rows.end() && fresh != new_rows.end() && was_measured(*old->second) &&
                      was_measured(*fresh->second);
    if (!both) {
      judge_first_look(row, "slower, but not confirmed: fresh launches gave no time");
      continue;
    }
    ComparisonStage again = look(launch_medians(*old->second), launch_medians(*fresh->second));
    if (std::min(again.base_ns.size(), again.new_ns.size()) < kLaunchesForVerdict) {
      judge_first_look(row, "slower, but not confirmed: too few fresh launches");
      continue;
    }
    comparison.stages.push_back(std::move(again));
    const double matters = shift_that_matters(comparison.stages.back(), comparison.threshold);
    const std::string reason = quality_issue(*old->second, *fresh->second, matters, sides);
    if (!reason.empty()) {
      row.status = Status::ambiguous;
      comparison.reason = reason;
    } else if (const double beyond = margin * comparison.threshold;
               judge(comparison.stages.back(), beyond, 0) != Change::slower) {
      const auto& interval = comparison.stages.back().ratio_interval90;
      row.status = Status::ambiguous;
      comparison.reason = interval && interval->high <= 1 + beyond
                              ? "slower at first, but fresh launches do not confirm it"
                              : "slower at first; fresh launches neither confirm it nor rule it out";
    } else {
      comparison.reason = "fresh launches confirm it";
    }
  }
  result.comparison->confirmation = how;
}

void leave_unconfirmed(Document& result, const std::string& why) {
  for (const std::size_t index : suspects(result)) {
    judge_first_look(result.rows[index], "slower, but not confirmed by fresh launches");
    result.comparison->confirmation = why;
  }
}

ExitCode gate_exit_code(const Document& result, FailOn fail_on) {
  if (fail_on == FailOn::none) return ExitCode::ok;
  const auto any = [&](Status status) {
    return std::ranges::any_of(result.rows, [&](const Row& row) { return row.status == status; });
  };
  const auto found = [&](const FindingKind& kind) {
    return std::ranges::any_of(result.findings, [&](const Finding& finding) { return finding.kind == kind; });
  };
  if (any(Status::regress) || found(finding_kind("no-longer-works"))) return ExitCode::regression;
  if (found(finding_kind("no-longer-measured")) || found(finding_kind("nothing-compared")))
    return ExitCode::inconclusive;
  return fail_on == FailOn::ambiguous && any(Status::ambiguous) ? ExitCode::inconclusive : ExitCode::ok;
}

}  // namespace ringside
