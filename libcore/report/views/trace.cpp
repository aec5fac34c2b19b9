#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "report/views/finding_items.hpp"
#include "report/views/headline.hpp"
#include "report/views/heads.hpp"
#include "report/views/test_suite.hpp"
#include "report/views/trace_parts.hpp"

namespace ringside {
namespace {

constexpr std::size_t kShownFrames = 3;  // of a death in a log, the innermost

std::vector<HeadLine> head(const Document& document, Room room) {
  std::vector<HeadLine> lines;
  if (room == Room::page) {
    lines = alert_lines(document);
    add_line(lines, "", method_line(document));
  }
  if (room != Room::terminal) return lines;
  std::vector<std::string> facts;
  const InitTrace& trace = *document.trace;
  const bool log = !trace.launches.empty();
  if (log && trace.death)
    add_line(lines, "died", trace.summary.substr(trace.summary.starts_with("died: ") ? 6 : 0), Style::error);
  for (const auto& [name, value] : document.trace->facts) facts.push_back(name + " " + value);
  add_line(lines, log ? "log" : "pipeline", trace.title);
  add_line(lines, "facts", join(facts, ", "));
  if (log) return lines;
  for (const Finding& finding : document.findings)
    if (finding.kind == finding_kind("root-cause")) add_line(lines, "cause", finding.message, Style::error);
  return lines;
}

Answers outcome_of(const InitTrace& trace) {
  const Style style = trace.outcome == "no-failure-found" ? Style::winner
                      : trace.death                       ? Style::error
                                                          : Style::warning;
  return {{{.label = "outcome", .about = trace.outcome, .text = trace.summary, .style = style}}, false};
}

// The initialisation of a server, step by step, until it dies or nothing is left to check.
class Trace final : public ResultKind {
 public:
  bool shows(const Document& document) const override { return document.trace.has_value(); }
  int speciality() const override { return 3; }

  View view(const Document& document, const ViewRequest& request) const override {
    View view = start_view(document, request);
    const InitTrace& trace = *document.trace;
    view.heading = view.title = trace.title;
    view.least_columns = 60;
    if (request.sections) {
      view.head = head(document, request.room);
      view.sections = sections(document, request);
    }
    // What kills the launch is what was asked for: another outcome than the expected one alone is a failure.
    if (request.tests)
      view.tests = test_suite(document, {.output = trace.outcome + ": " + trace.summary,
                                         .fails = [](const Finding& f) { return is_failure(f.kind); }});
    if (request.timeline) view.timeline = trace_timeline(trace);
    return view;
  }

  std::pair<std::string, std::string> outcome(const Document& document) const override {
    return {document.trace->outcome, document.trace->summary};
  }

 private:
  static std::vector<Section> sections(const Document& document, const ViewRequest& request) {
    const InitTrace& trace = *document.trace;
    const bool page = request.room == Room::page;
    const Section outcome{"outcome", outcome_of(trace)};
    Findings story = trace_findings(document, page);
    if (page) std::ranges::stable_sort(story.items, std::greater{}, &FindingItem::severity);
    const Section findings{"findings", std::move(story)};
    if (request.summary) return {outcome, findings};

    std::vector<Section> sections;
    const auto add = [&](Part part, const char* fold = "") {
      sections.push_back({"trace", std::move(part), fold});
    };
    if (request.room != Room::terminal) sections.push_back(outcome);
    if (page) sections.push_back(findings);
    if (request.room == Room::document) add(FactList{"", trace.facts});
    const bool log = !trace.launches.empty();
    if (!page && (!log || request.verbose)) add(trace_step_list(trace, request.verbose));
    if (trace.death) add(death_of(*trace.death, log && !page && !request.verbose ? kShownFrames : SIZE_MAX));
    if (page) {
      add(counterfactual_grid(trace));
      add(trace_step_list(trace, true));
      add(CodeLines{"not known", trace.undecided});
      add(FactList{"", trace.facts}, "what it was decided with");
    } else {
      sections.push_back(findings);
      add(alternatives(trace.counterfactuals));
    }
    if (request.room == Room::terminal) sections.push_back(outcome);
    return sections;
  }
};

const RegisterKind<Trace> registered;

}  // namespace
}  // namespace ringside
