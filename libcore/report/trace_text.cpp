#include "report/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/ansi.hpp"
#include "report/trace_steps.hpp"
#include "report/what_if_lines.hpp"
#include "report/wrap.hpp"

namespace ringside {
namespace {

constexpr std::size_t kLabel = 9;
constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kWho = 12;
constexpr std::size_t kPlace = 40;

class TraceText {
 public:
  TraceText(const Document& document, const RenderOptions& options)
      : document_(document),
        trace_(*document.trace),
        options_(options),
        width_(std::max(static_cast<std::size_t>(std::max(options.width, 0)), kNarrowest)),
        ansi_(options.color) {}

  std::string render() && {
    head();
    steps();
    death();
    findings();
    counterfactuals();
    text_ += '\n';
    line("outcome", fmt::format("{}: {}", trace_.outcome, trace_.summary),
         trace_.outcome == "pass" ? Style::winner
         : trace_.death           ? Style::error
                                  : Style::warning);
    return std::move(text_);
  }

 private:
  void line(std::string_view label, std::string_view text, Style style = Style::heading) {
    if (text.empty()) return;
    const std::string lines = wrap(pad(label, kLabel), text, width_);
    text_ += ansi_.paint(style, label) + lines.substr(label.size());
  }

  void below(std::string_view text, std::string_view lead) {
    text_ += wrap(std::string(kLabel, ' ').append(lead), text, width_);
  }

  void head() {
    line("pipeline", trace_.title);
    std::string facts;
    for (const auto& [name, value] : trace_.facts) {
      if (!facts.empty()) facts += ", ";
      facts += fmt::format("{} {}", name, value);
    }
    line("facts", facts);
    for (const Finding& finding : document_.findings)
      if (finding.kind == "root-cause") line("cause", finding.message, Style::error);
  }

  void steps() {
    const auto shown = shown_steps(trace_, options_.verbose);
    if (shown.empty()) return;
    text_ += '\n' + ansi_.paint(Style::heading, "steps") + '\n';
    for (const TraceStep* step : shown) add_step(*step);
    const std::size_t hidden = trace_.steps.size() - shown.size();
    if (hidden > 0)
      below(fmt::format("{} more steps (skipped, or checks that held) with --verbose", hidden), "");
  }

  void add_step(const TraceStep& step) {
    std::string lead = "  " + pad(step_who(step), kWho);
    if (step.time_s) lead += pad(fmt::format("{:.2f}s ", *step.time_s), 9, true);
    const std::string place = step_place(step);
    lead += pad(place, kPlace) + ' ';
    std::string effect = step.effect;
    if (step.result == StepResult::skipped) effect = "skipped: " + effect;
    if (step.result == StepResult::undecided) effect = "perhaps: " + effect;
    if (step.mark != StepMark::none) effect += fmt::format("  <== {}", mark_text(step.mark));
    std::string text;
    if (display_width(lead) + 30 > width_ || place.size() > kPlace) {
      text = lead + '\n' + wrap(std::string(4 + kWho, ' '), effect, width_);
    } else {
      text = wrap(lead, effect, width_);
    }
    text_ += step.mark == StepMark::none ? text
                                         : ansi_.paint(Style::error, text.substr(0, text.size() - 1)) + '\n';
    const std::string because = step_because(step);
    if (!because.empty() &&
        (options_.verbose || step.mark != StepMark::none || step.result == StepResult::undecided))
      text_ += ansi_.paint(Style::faint, wrap(std::string(4 + kWho, ' ') + "as ", because, width_));
    if (options_.verbose && !step.guard.empty())
      text_ += ansi_.paint(Style::faint, wrap(std::string(4 + kWho, ' ') + "if ", step.guard, width_));
  }

  void death() {
    if (!trace_.death) return;
    text_ += '\n';
    line("death",
         trace_.death->message.empty() ? trace_.death->error
                                       : trace_.death->error + ": " + trace_.death->message,
         Style::error);
    if (!trace_.death->phase.empty()) below(trace_.death->phase, "during ");
    for (const TraceFrame& frame : trace_.death->frames)
      below(frame.source.empty() ? frame_place(frame) : frame_place(frame) + "  " + frame.source, "  ");
  }

  void findings() {
    if (!document_.findings.empty()) text_ += '\n';
    for (const Finding& finding : document_.findings) {
      const bool note = finding.severity == Severity::note;
      const Style style = note                                  ? Style::note
                          : finding.severity == Severity::error ? Style::error
                                                                : Style::warning;
      if (finding.kind == "symptom")
        line("symptom", finding.message);
      else if (finding.kind == "root-cause")
        line("cause", finding.message, style);
      else if (finding.kind == "not-the-cause")
        line("not", fmt::format("{}: {}", finding.subject, finding.message), Style::note);
      else if (finding.kind == "remedy")
        line("fix " + finding.subject, finding.message, Style::winner);
      else
        line(to_string(finding.severity), finding.message, style);
      for (const std::string& fact : finding.evidence) below(fact, "- ");
      if (!finding.remedy.empty() && finding.kind != "root-cause") below(finding.remedy, "fix: ");
    }
  }

  void counterfactuals() {
    if (trace_.counterfactuals.empty()) return;
    text_ += '\n' + ansi_.paint(Style::heading, "what if") + '\n';
    for (const WhatIfLine& line : what_if_lines(trace_.counterfactuals)) {
      text_ += wrap("  ", fmt::format("{}  ->  {}", line.changes, line.outcome), width_);
      below(line.gives_up, "gives up ");
    }
  }

  const Document& document_;
  const InitTrace& trace_;
  const RenderOptions& options_;
  std::size_t width_;
  Ansi ansi_;
  std::string text_;
};

}  // namespace

std::string trace_text(const Document& document, const RenderOptions& options) {
  return TraceText(document, options).render();
}

}  // namespace ringside
