#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_code.hpp"
#include "gate/calibration.hpp"
#include "model/document.hpp"

namespace ringside {

// Of a side, for a verdict: a rank test of level 0.05 exists from here on.
inline constexpr int kLaunchesForVerdict = 3;

// All launches of one side, from one or more files.
struct ComparisonSide {
  Document document;
  std::vector<std::string> files;
};

// Puts the launches of several Documents together. Throws UsageError when there is none, or, unless
// `across_machines`, when they are from different machines.
ComparisonSide make_side(std::vector<Document> documents, std::vector<std::string> files,
                         bool across_machines);

// Compares every case of the two sides: a first look. A row of the result has the status pass, improve,
// regress or ambiguous; one that was not measured on both sides has that of the new side, or is skipped. A
// row with `regress` is a suspect until confirm() or leave_unconfirmed(). Throws UsageError that names the
// facts that differ when the sides are from different machines; with `across_machines` it is reported, not
// judged.
Document compare(const ComparisonSide& base, const ComparisonSide& now,
                 const std::optional<Calibration>& calibration, Sides sides, bool across_machines);

// Rows of the result that look slower at first.
std::vector<std::size_t> suspects(const Document& result);

// What the base of a second look is. Launches that a first look has already seen make the two agree too
// easily: the second one then asks for more.
enum class BaseLaunches { fresh, seen };

// A second look at the suspects, with fresh launches. Who is slower again is a regression, the others are
// ambiguous. A suspect for which they have no time is judged as leave_unconfirmed() does. `how`: for the
// record, "5 fresh launches of each side".
void confirm(Document& result, const Document& base, const Document& now, BaseLaunches launches,
             const std::string& how);

// Nobody measures the suspects again: only what lies beyond twice the threshold counts. `why` for the record.
void leave_unconfirmed(Document& result, const std::string& why);

// Gives the verdicts their Findings. Nothing is changed afterwards.
void conclude_comparison(Document& result);

enum class FailOn { none, regress, ambiguous };
FailOn parse_fail_on(std::string_view text);  // throws UsageError that lists the valid names

// 6 for a regression, or a case that no longer works; 7 for a case of the base that has no new time, where
// nothing could be compared, and, when asked for, for a case that could not be judged.
ExitCode gate_exit_code(const Document& result, FailOn fail_on);

}  // namespace ringside
