#include <fmt/format.h>

#include "base/text.hpp"
#include "report/markdown.hpp"
#include "report/trace_steps.hpp"
#include "report/trace_text.hpp"
#include "report/what_if_lines.hpp"

namespace ringside {
namespace {

std::string facts_text(const InitTrace& trace) {
  std::string text;
  for (const auto& [name, value] : trace.facts)
    text += fmt::format("- {}: {}\n", markdown_escaped(name), markdown_escaped(value));
  return text.empty() ? text : text + '\n';
}

std::string steps_text(const InitTrace& trace, bool verbose) {
  const auto shown = shown_steps(trace, verbose);
  if (shown.empty()) return "";
  std::string text = "| who | where | what | because |\n| :--- | :--- | :--- | :--- |\n";
  for (const TraceStep* step : shown) {
    std::string effect = markdown_escaped(step->effect);
    if (step->result == StepResult::skipped) effect = "skipped: " + effect;
    if (step->result == StepResult::undecided) effect = "perhaps: " + effect;
    if (const std::string_view mark = mark_text(step->mark); !mark.empty())
      effect = fmt::format("**{}** (**{}**)", effect, mark);
    text += fmt::format("| {} | {} | {} | {} |\n", markdown_escaped(step_who(*step)),
                        markdown_escaped(step_place(*step)), effect, markdown_escaped(step_because(*step)));
  }
  return text + '\n';
}

std::string death_text(const TraceDeath& death) {
  std::string text = "```\n";
  for (const TraceFrame& frame : death.frames) text += frame_place(frame) + '\n';
  text += death.message.empty() ? death.error : death.error + ": " + death.message;
  return text + "\n```\n\n";
}

std::string findings_text(const Document& document) {
  std::string text;
  for (const Finding& finding : document.findings) {
    std::string_view word = to_string(finding.severity);
    if (finding.kind == "root-cause") word = "cause";
    if (finding.kind == "not-the-cause") word = "not the cause";
    if (finding.kind == "remedy" || finding.kind == "symptom") word = finding.kind;
    const std::string subject = finding.kind == "not-the-cause" ? finding.subject + ": " : "";
    text += fmt::format("- **{}** {}\n", word, markdown_escaped(subject + finding.message));
    for (const std::string& fact : finding.evidence) text += fmt::format("  - {}\n", markdown_escaped(fact));
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

std::string trace_markdown(const Document& document, const RenderOptions& options) {
  const InitTrace& trace = *document.trace;
  std::string text = fmt::format("### {}\n\n**{}**: {}\n\n", markdown_escaped(trace.title),
                                 markdown_escaped(trace.outcome), markdown_escaped(trace.summary));
  text += facts_text(trace) + steps_text(trace, options.verbose);
  if (trace.death) text += death_text(*trace.death);
  text += findings_text(document);
  for (const WhatIfLine& line : what_if_lines(trace.counterfactuals))
    text += fmt::format("- what if {} → {} (gives up {})\n", markdown_escaped(line.changes),
                        markdown_escaped(line.outcome), markdown_escaped(line.gives_up));
  return text;
}

}  // namespace ringside
