#include "report/views/trace_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace ringside {
namespace {

bool is_dull(const TraceStep& step) {
  return step.mark == StepMark::none &&
         (step.result == StepResult::skipped || step.effect.starts_with("holds: "));
}

std::string place_of(const TraceStep& step) {
  return step.file.empty() ? "" : fmt::format("{}:{}", step.file, step.line);
}

std::string who(const TraceStep& step) {
  return step.ranks.empty() ? step.worker : fmt::format("{} {}", step.worker, step.ranks);
}

std::string because(const TraceStep& step) {
  std::vector<std::string> facts;
  for (const auto& [name, value] : step.decided_by) facts.push_back(fmt::format("{} is {}", name, value));
  return join(facts, ", ");
}

const char* mark_text(StepMark mark) {
  switch (mark) {
    case StepMark::should_have_set:
      return "should have given it";
    case StepMark::set_to_none:
      return "set it to None";
    case StepMark::died:
      return "died here";
    case StepMark::none:
      break;
  }
  return "";
}

const char* hedge(StepResult result) {
  if (result == StepResult::skipped) return "skipped";
  return result == StepResult::undecided ? "perhaps" : "";
}

Facts details(const TraceStep& step) {
  const std::string place = place_of(step);
  Facts facts = {{"where", step.function.empty() ? place : place + " in " + step.function},
                 {"guard", step.guard.empty() ? "none: it always runs" : step.guard}};
  for (const auto& [name, value] : step.decided_by) facts.emplace_back("decided by", name + " is " + value);
  facts.emplace_back("result", std::string(to_string(step.result)));
  if (step.process) facts.emplace_back("process", *step.process);
  if (step.time_s) facts.emplace_back("time", fmt::format("{:.3f} s after the start", *step.time_s));
  return facts;
}

StepItem step_of(const TraceStep& step, int least_depth) {
  const bool marked = step.mark != StepMark::none;
  return {.depth = step.depth - least_depth,
          .who = who(step),
          .where = place_of(step),
          .what = step.effect,
          .hedge = hedge(step.result),
          .state = std::string(to_string(step.result)),
          .mark = mark_text(step.mark),
          .fatal = step.mark == StepMark::died || step.result == StepResult::died,
          .dull = is_dull(step),
          .time_s = step.time_s,
          .because = because(step),
          .explained = marked || step.result == StepResult::undecided,
          .condition = step.guard,
          .details = details(step)};
}

Style style_of(const Finding& finding) {
  if (finding.kind == finding_kind("symptom")) return Style::heading;
  if (finding.kind == finding_kind("remedy")) return Style::winner;
  if (finding.severity == Severity::error) return Style::error;
  return finding.severity == Severity::warning ? Style::warning : Style::note;
}

FindingItem item_of(const Finding& finding) {
  const std::string severity(to_string(finding.severity));
  const bool told = finding.subject.empty() || finding.message.find(finding.subject) != std::string::npos;
  FindingItem item{.kind = finding.kind,
                   .severity = finding.severity,
                   .word = severity,
                   .label = severity,
                   .tone = severity,
                   .style = style_of(finding),
                   .text = finding.message,
                   .about = told ? "" : finding.subject,
                   .evidence = finding.evidence,
                   .remedy = finding.remedy};
  if (finding.kind == finding_kind("symptom")) {
    item.word = item.label = "symptom";
  } else if (finding.kind == finding_kind("root-cause")) {
    item.word = item.label = item.tone = "cause";
  } else if (finding.kind == finding_kind("not-the-cause")) {
    item.word = "not the cause";
    item.label = "not";
    item.style = Style::note;
    item.text = finding.subject + ": " + finding.message;
    item.about.clear();
  } else if (finding.kind == finding_kind("earlier-launch")) {
    item.label = "earlier";
  } else if (finding.kind == finding_kind("other-server")) {
    item.label = "beside";
  } else if (finding.kind == finding_kind("remedy")) {
    item.word = item.tone = "remedy";
    item.label = "fix " + finding.subject;
    const auto patch = std::ranges::find(item.evidence, "patch:");
    if (patch != item.evidence.end()) {
      item.patch.assign(patch + 1, item.evidence.end());
      item.evidence.erase(patch, item.evidence.end());
    }
  }
  return item;
}

// Where a finding stands in the story.
int place_in_story(const Finding& finding) {
  if (finding.kind == finding_kind("root-cause")) return 0;
  if (finding.kind == finding_kind("remedy")) return 1;
  if (finding.kind == finding_kind("symptom")) return 2;
  return finding.kind == finding_kind("not-the-cause") ? 4 : 3;
}

}  // namespace

StepList trace_step_list(const InitTrace& trace, bool everything) {
  StepList list;
  if (trace.steps.empty()) return list;
  const int least = std::ranges::min_element(trace.steps, {}, &TraceStep::depth)->depth;
  for (const TraceStep& step : trace.steps) {
    if (!everything && is_dull(step)) {
      ++list.hidden;
    } else {
      list.steps.push_back(step_of(step, least));
    }
  }
  return list;
}

Backtrace death_of(const TraceDeath& death, std::size_t frames) {
  std::vector<std::string> lines = split(death.message, '\n');
  Backtrace backtrace{.error = death.error.empty() ? "no traceback" : death.error,
                      .message = lines.front(),
                      .phase = death.phase,
                      .worker = death.worker,
                      .ranks = death.ranks,
                      .frames = {},
                      .hidden = death.frames.size() - std::min(death.frames.size(), frames),
                      .more = {lines.begin() + 1, lines.end()}};
  for (std::size_t i = backtrace.hidden; i < death.frames.size(); ++i) {
    const TraceFrame& frame = death.frames[i];
    std::string place = fmt::format("{}:{}", frame.file, frame.line);
    if (!frame.function.empty()) place += " in " + frame.function;
    backtrace.frames.push_back({std::move(place), frame.source});
  }
  return backtrace;
}

Findings trace_findings(const Document& document, bool whole) {
  Findings findings{.items = {}, .skipped = {}, .story = true};
  std::vector<Finding> story = document.findings;
  std::ranges::stable_sort(story, {}, place_in_story);
  for (const Finding& finding : story) {
    findings.items.push_back(item_of(finding));
    if (!whole && finding.kind == finding_kind("root-cause")) findings.items.back().remedy.clear();
  }
  return findings;
}

TitledGrid counterfactual_grid(const InitTrace& trace) {
  GridLines lines;
  for (const char* name : {"what if", "outcome", "gives up"}) lines.add({name}, Align::left);
  for (const Counterfactual& found : trace.counterfactuals)
    lines.line({join(found.changes, " and "), found.outcome, found.gives_up});
  return {.title = "what would change it", .columns = lines.take()};
}

Timeline trace_timeline(const InitTrace& trace) {
  Timeline timeline{.title = trace.title, .events = {}};
  for (const TraceStep& step : trace.steps) {
    timeline.events.push_back({.name = step.effect,
                               .category = std::string(to_string(step.result)),
                               .track = step.process.value_or(who(step)),
                               .time_s = step.time_s,
                               .facts = {{"place", place_of(step)},
                                         {"function", step.function},
                                         {"guard", step.guard},
                                         {"mark", std::string(to_string(step.mark))}},
                               .decided_by = step.decided_by,
                               .alarming = step.mark != StepMark::none});
  }
  return timeline;
}

}  // namespace ringside
