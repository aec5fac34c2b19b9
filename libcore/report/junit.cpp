#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/text.hpp"
#include "report/comparison_view.hpp"
#include "report/finding_index.hpp"
#include "report/headline.hpp"
#include "report/markup.hpp"
#include "report/sweep_view.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

// What a Finding says, in full: the body of a failure.
std::string detail(const Finding& finding) {
  std::string text = markup_escaped(finding.message) + '\n';
  for (const std::string& fact : finding.evidence) text += markup_escaped(fact) + '\n';
  if (!finding.remedy.empty()) text += "fix: " + markup_escaped(finding.remedy) + '\n';
  return text;
}

// A number that did not come out right is a failure; a case that could not be run to its end is an error.
bool is_failure(std::string_view kind) {
  return kind == "wrong-data" || kind == "regression" || kind == "unexpected-outcome";
}

// One test of the suite. `outcome` is a whole element, or empty: passed.
struct TestCase {
  std::string group;  // what follows the suite's name in classname
  std::string name;
  std::string outcome;
  std::optional<double> time_ns;
  std::string output;  // for people
};

std::string outcome_element(const Finding& finding) {
  const char* element = is_failure(finding.kind) ? "failure" : "error";
  return fmt::format("<{0} type=\"{1}\" message=\"{2}\">{3}</{0}>", element, markup_escaped(finding.kind),
                     markup_escaped(finding.message), detail(finding));
}

// Why a row has no result, or one that nobody can judge, also where the Document names no reason.
Finding reason(const FindingIndex& findings, const Row& row) {
  if (const Finding* found = findings.reason(row); found != nullptr) return *found;
  const bool told = row.comparison && !row.comparison->reason.empty();
  return {std::string(to_string(row.status)),
          Severity::error,
          "",
          told ? row.comparison->reason : "no reason was recorded",
          {},
          ""};
}

std::string row_outcome(const FindingIndex& findings, const Row& row) {
  switch (row.status) {
    case Status::skipped:
      return fmt::format("<skipped message=\"{}\"/>", markup_escaped(reason(findings, row).message));
    case Status::ambiguous:  // a test that shows neither the one nor the other
      return fmt::format("<skipped message=\"ambiguous: {}\"/>",
                         markup_escaped(reason(findings, row).message));
    case Status::failed:
    case Status::timeout:
      return outcome_element(reason(findings, row));
    case Status::regress: {
      Finding finding = reason(findings, row);
      finding.kind = "regression";
      return outcome_element(finding);
    }
    case Status::pass:
    case Status::improve:
      break;
  }
  return "";
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
  return text + fmt::format(", {} samples in {} launches", row.time->samples, row.launches.size());
}

TestCase of_row(const FindingIndex& findings, const Row& row) {
  return {.group = fmt::format("{}.{}", to_string(row.params.collective), to_string(row.params.device)),
          .name = fmt::format("{}, {} ranks", case_name(row.params), row.params.ranks),
          .outcome = row_outcome(findings, row),
          .time_ns = has_result(&row) ? std::optional(row.time->median_ns) : std::nullopt,
          .output = row_output(row)};
}

// The run as a whole: whether it ended, and what went wrong apart from single cases.
TestCase of_run(const Document& document) {
  TestCase test{.group = "run", .name = "the run ends well", .outcome = "", .time_ns = {}, .output = ""};
  if (document.trace) test.output = document.trace->outcome + ": " + document.trace->summary;
  if (document.spec) test.output = document.spec->recommendation;
  std::unordered_set<std::string> told;  // where their rows are
  for (const Row& row : document.rows) told.insert(row.findings.begin(), row.findings.end());
  for (const Finding& finding : document.findings) {
    // What kills the traced launch is what trace-init was asked for: its own failure is another outcome only.
    const bool counts = document.trace ? is_failure(finding.kind) : finding.severity == Severity::error;
    if (!counts || told.contains(finding.id())) continue;
    test.outcome = outcome_element(finding);
    return test;
  }
  if (const std::string line = incomplete_line(document); !line.empty())
    test.outcome = fmt::format("<error type=\"incomplete\" message=\"{}\"/>", markup_escaped(line));
  return test;
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", markup_escaped(name),
                     markup_escaped(value));
}

std::string properties(const Document& document) {
  std::string text = "    <properties>\n" + property("tool", tool_line(document)) +
                     property("command", join(document.argv, " ")) +
                     property("machine", document.machine.name);
  if (const std::string method = method_line(document); !method.empty()) text += property("method", method);
  if (document.comparison) {
    text += property("base", side_line(document.comparison->base)) +
            property("new", side_line(document.comparison->now)) +
            property("judgement", judgement_line(document));
  }
  for (const auto& [name, value] : document.machine.facts) text += property("machine." + name, value);
  for (const auto& [name, value] : document.environment) text += property("env." + name, value);
  return text + "    </properties>\n";
}

std::string element(const TestCase& test, const std::string& suite) {
  const bool timed = test.time_ns && std::isfinite(*test.time_ns);
  std::string text =
      fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.9f}\">\n", markup_escaped(suite),
                  markup_escaped(test.group), markup_escaped(test.name), timed ? *test.time_ns / 1e9 : 0.0);
  if (!test.outcome.empty()) text += "      " + test.outcome + '\n';
  if (!test.output.empty())
    text += fmt::format("      <system-out>{}</system-out>\n", markup_escaped(test.output));
  return text + "    </testcase>\n";
}

class JunitWriter final : public Writer {
 public:
  std::string_view name() const override { return "junit"; }
  std::string_view summary() const override { return "JUnit XML: a test for each case, and one for the run"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    std::vector<TestCase> tests = {of_run(document)};
    const FindingIndex findings(document);
    for (const Row& row : document.rows) tests.push_back(of_row(findings, row));
    const auto count = [&](const char* start) {
      return std::ranges::count_if(tests,
                                   [&](const TestCase& test) { return test.outcome.starts_with(start); });
    };
    const std::string suite = "ringside." + document.command;
    const std::string numbers =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests.size(),
                    count("<failure"), count("<error"), count("<skipped"));
    const double elapsed = document.method ? document.method->elapsed_s : 0;
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ringside\" {0}>\n  <testsuite "
        "name=\"{1}\" "
        "{0} time=\"{2:.3f}\" timestamp=\"{3}\">\n",
        numbers, markup_escaped(suite), std::isfinite(elapsed) ? elapsed : 0,
        markup_escaped(document.started));
    text += properties(document);
    for (const TestCase& test : tests) text += element(test, suite);
    return text + "  </testsuite>\n</testsuites>\n";
  }
};

const RegisterWriter<JunitWriter> registered;

}  // namespace
}  // namespace ringside
