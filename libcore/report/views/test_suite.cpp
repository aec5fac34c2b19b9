#include "report/views/test_suite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "base/text.hpp"
#include "report/views/blocks.hpp"
#include "report/views/finding_index.hpp"
#include "report/views/headline.hpp"

namespace ringside {
namespace {

using Outcome = TestCase::Outcome;

void set_outcome(TestCase& test, const Finding& finding) {
  test.outcome = is_failure(finding.kind) ? Outcome::failure : Outcome::error;
  test.type = finding.kind;
  test.message = finding.message;
  test.detail = {finding.message};
  test.detail.insert(test.detail.end(), finding.evidence.begin(), finding.evidence.end());
  if (!finding.remedy.empty()) test.detail.push_back("fix: " + finding.remedy);
}

// Why a row has no result, or one that nobody can judge, also where the Document names no reason.
Finding reason(const FindingIndex& findings, const Row& row) {
  const bool told = row.comparison && !row.comparison->reason.empty();
  if (const Finding* found = findings.reason(row); found != nullptr) {
    if (!told || row.status != Status::skipped) return *found;
    return {found->kind, found->severity, "", row.comparison->reason, {}, found->remedy};
  }
  return {std::string(to_string(row.status)),
          Severity::error,
          "",
          told ? row.comparison->reason : "no reason was recorded",
          {},
          ""};
}

void set_outcome(TestCase& test, const FindingIndex& findings, const Row& row) {
  if (row.status == Status::pass || row.status == Status::improve) return;
  Finding finding = reason(findings, row);
  const FindingKind* const kind = find_finding_kind(finding.kind);
  const bool lost = kind != nullptr && kind->junit != JUnitClass::none;  // in a row that calls itself skipped
  if (!lost && (row.status == Status::skipped || row.status == Status::ambiguous)) {
    test.outcome = Outcome::skipped;  // ambiguous: a test that shows neither the one nor the other
    test.message = (row.status == Status::ambiguous ? "ambiguous: " : "") + finding.message;
    return;
  }
  if (row.status == Status::regress) finding.kind = finding_kind("regression");
  set_outcome(test, finding);
}

std::string ratio_text(const Row& row) {
  const ComparisonStage& look = row.comparison->stages.back();
  std::string text = look.ratio ? fmt::format(", {:.3f} times the base", *look.ratio) : "";
  if (const auto& interval = look.ratio_interval90; interval)
    text += fmt::format(", 90 % interval {:.3f} to {:.3f}", interval->low, interval->high);
  return text + fmt::format(", a change counts from {:.1f} %, {} and {} launches",
                            100 * row.comparison->threshold, look.base_ns.size(), look.new_ns.size());
}

std::string row_output(const Row& row) {
  std::string text = fmt::format("{}, {}", to_string(row.status), to_string(row.origin));
  if (!has_result(&row)) return text;
  text += ", median " + format_time_ns(row.time->median_ns);
  if (row.comparison && !row.comparison->stages.empty()) return text + ratio_text(row);
  if (const auto& interval = row.time->interval95_ns;
      interval && std::isfinite(interval->high - interval->low))
    text += fmt::format(", 95 % interval {} to {}", format_time_ns(interval->low),
                        format_time_ns(interval->high));
  if (row.busbw_gbps && std::isfinite(*row.busbw_gbps)) text += ", busbw " + format_gbps(*row.busbw_gbps);
  return text + fmt::format(", {} samples in {} launches", row.time->samples, launch_count(row));
}

TestCase of_row(const FindingIndex& findings, const Row& row) {
  TestCase test{.group = fmt::format("{}.{}", to_string(row.params.collective), to_string(row.params.device)),
                .name = fmt::format("{}, {} ranks", case_name(row.params), row.params.ranks),
                .time_ns = has_result(&row) ? std::optional(row.time->median_ns) : std::nullopt,
                .output = row_output(row)};
  set_outcome(test, findings, row);
  return test;
}

TestCase of_run(const Document& document, const RunTest& run) {
  TestCase test{.group = "run", .name = "the run ends well", .output = run.output};
  std::unordered_set<std::string> told;  // where their rows are
  for (const Row& row : document.rows) told.insert(row.findings.begin(), row.findings.end());
  for (const Finding& finding : document.findings) {
    if (!run.fails(finding) || told.contains(finding.id())) continue;
    set_outcome(test, finding);
    return test;
  }
  test.message = incomplete_line(document);
  if (test.message.empty()) return test;
  test.outcome = ended_by_budget(document) || document.comparison ? Outcome::skipped : Outcome::error;
  test.type = "incomplete";
  return test;
}

Facts properties(const Document& document, const RunTest& run) {
  Facts facts = {{"tool", tool_line(document)},
                 {"command", join(document.argv, " ")},
                 {"machine", document.machine.name}};
  if (std::string method = method_line(document); !method.empty())
    facts.emplace_back("method", std::move(method));
  facts.insert(facts.end(), run.properties.begin(), run.properties.end());
  for (const auto& [name, value] : document.machine.facts) facts.emplace_back("machine." + name, value);
  for (const auto& [name, value] : document.environment) facts.emplace_back("env." + name, value);
  return facts;
}

}  // namespace

bool is_failure(const std::string& kind) {
  const FindingKind* const known = find_finding_kind(kind);
  return known != nullptr && known->junit == JUnitClass::failure;
}

TestSuite test_suite(const Document& document, const RunTest& run) {
  TestSuite suite{.name = "ringside." + document.command,
                  .started = document.started,
                  .elapsed_s = document.method ? document.method->elapsed_s : 0,
                  .properties = properties(document, run),
                  .cases = {of_run(document, run)}};
  const FindingIndex findings(document);
  for (const Row& row : document.rows) suite.cases.push_back(of_row(findings, row));
  return suite;
}

}  // namespace ringside
