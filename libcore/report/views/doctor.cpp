#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/views/finding_items.hpp"
#include "report/views/heads.hpp"
#include "report/views/result_kind.hpp"
#include "report/views/test_suite.hpp"

namespace ringside {
namespace {

std::string counted(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::size_t count_of(const DoctorResult& box, CheckResult result) {
  return static_cast<std::size_t>(std::ranges::count(box.outcomes, result, &CheckOutcome::result));
}

std::size_t count_of(const Document& document, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(document.findings, severity, &Finding::severity));
}

std::string summary(const Document& document) {
  const std::string found =
      fmt::format("{}, {}", counted(count_of(document, Severity::error), "error", "errors"),
                  counted(count_of(document, Severity::warning), "hint", "hints"));
  if (document.doctor->outcomes.empty())  // two boxes beside each other
    return fmt::format("{}, {}", found,
                       counted(count_of(document, Severity::note), "other difference", "other differences"));
  return fmt::format("{}, {} ok, {} not known", found, count_of(*document.doctor, CheckResult::ok),
                     count_of(*document.doctor, CheckResult::not_known));
}

Answers answer_of(const Document& document) {
  const Style style = count_of(document, Severity::error) > 0     ? Style::error
                      : count_of(document, Severity::warning) > 0 ? Style::warning
                                                                  : Style::heading;
  return {{{.label = "result", .text = summary(document), .style = style}}, true};
}

// "hint" is what a warning is here.
Findings items_of(const Document& document) {
  Findings findings = finding_items(document);
  for (FindingItem& item : findings.items) {
    if (item.word == "warning") item.word = item.label = "hint";
  }
  findings.untold_notes = 0;
  return findings;
}

FindingItem item_of(const char* word, Style style, std::string text) {
  return {.word = word, .label = word, .tone = "note", .style = style, .text = std::move(text)};
}

// Lines that wrap: a word, and what is so.
struct Lines {
  Findings findings;

  void add(const char* word, Style style, std::string text) {
    findings.items.push_back(item_of(word, style, std::move(text)));
  }
};

Findings ok_items(const DoctorResult& box) {
  Lines lines;
  for (const CheckOutcome& outcome : box.outcomes) {
    if (outcome.result == CheckResult::ok)
      lines.add("ok", Style::winner, outcome.name() + ": " + outcome.sentence);
  }
  return lines.findings;
}

// Checks that are not known for one reason, together.
Findings unknown_items(const DoctorResult& box) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const CheckOutcome& outcome : box.outcomes) {
    if (outcome.result != CheckResult::not_known) continue;
    const auto group = std::ranges::find(groups, outcome.sentence, [](const auto& g) { return g.first; });
    if (group == groups.end()) {
      groups.push_back({outcome.sentence, {outcome.name()}});
    } else {
      group->second.push_back(outcome.name());
    }
  }
  Lines lines;
  for (const auto& [reason, checks] : groups)
    lines.add("unknown", Style::note, join(checks, ", ") + ": " + reason);
  return lines.findings;
}

// What is predicted, and nothing of it tried.
Findings path_items(const DoctorResult& box) {
  Lines lines;
  for (const PathPrediction& prediction : box.predictions) {
    lines.add("predict", Style::note,
              fmt::format("{}, {}: {} ({})", prediction.by, prediction.subject,
                          prediction.path.empty() ? "not known" : prediction.path, prediction.because));
    lines.findings.items.back().evidence = prediction.others;
  }
  return lines.findings;
}

// A box, check by check; or two boxes beside each other.
class Doctor final : public ResultKind {
 public:
  bool shows(const Document& document) const override { return document.doctor.has_value(); }
  int speciality() const override { return 4; }

  View view(const Document& document, const ViewRequest& request) const override {
    View view = start_view(document, request);
    view.heading = view.title = "doctor: " + document.doctor->source;
    view.least_columns = 60;
    if (request.sections) {
      if (request.room != Room::terminal) add_line(view.head, "machine", document.machine.name);
      view.sections = sections(document, request);
    }
    if (request.tests) view.tests = tests(document);
    return view;
  }

  std::pair<std::string, std::string> outcome(const Document& document) const override {
    const bool error = count_of(document, Severity::error) > 0;
    return {error ? "errors" : "no error found", summary(document)};
  }

 private:
  static std::vector<Section> sections(const Document& document, const ViewRequest& request) {
    const DoctorResult& box = *document.doctor;
    std::vector<Section> sections = {{"result", answer_of(document)}, {"findings", items_of(document)}};
    if (request.summary || box.outcomes.empty()) return sections;
    const bool all = request.verbose || request.room != Room::terminal;
    const auto add = [&](Findings findings, const char* fold = "") {
      findings.story = true;
      if (!findings.items.empty()) sections.push_back({"checks", std::move(findings), fold});
    };
    add(path_items(box));
    add(unknown_items(box));
    if (all) add(ok_items(box), "what is ok");
    if (request.room == Room::page || (all && request.verbose)) {
      Facts facts;
      for (const BoxFact& fact : box.facts)
        facts.emplace_back(fact.name, fact.value ? *fact.value : "not known: " + fact.reason);
      sections.push_back({"checks", FactList{"facts", std::move(facts)}, "all facts"});
    }
    return sections;
  }

  // A test for each check: what is not known was skipped.
  static TestSuite tests(const Document& document) {
    TestSuite suite =
        test_suite(document, {.output = summary(document), .fails = [](const Finding&) { return false; }});
    for (const CheckOutcome& outcome : document.doctor->outcomes) {
      TestCase test{.group = "doctor", .name = outcome.name(), .output = outcome.sentence};
      if (outcome.result == CheckResult::not_known) test.outcome = TestCase::Outcome::skipped;
      if (outcome.result == CheckResult::not_ok && outcome.severity == Severity::error) {
        test.outcome = TestCase::Outcome::failure;
        test.type = "box-error";
      }
      if (test.outcome != TestCase::Outcome::passed) test.message = outcome.sentence;
      if (!outcome.remedy.empty()) test.detail.push_back(outcome.remedy);
      suite.cases.push_back(std::move(test));
    }
    return suite;
  }
};

const RegisterKind<Doctor> registered;

}  // namespace
}  // namespace ringside
