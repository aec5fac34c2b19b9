#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/html/page.hpp"
#include "report/markup.hpp"
#include "report/trace_steps.hpp"

namespace ringside {
namespace {

constexpr int kDeepest = 12;  // of the indent

std::string step_classes(const TraceStep& step, bool dull) {
  std::string text(to_string(step.result));
  if (dull) text += " dull";
  if (step.mark == StepMark::died || step.result == StepResult::died) return text + " died";
  return step.mark == StepMark::none ? text : text + " marked";
}

std::string step_detail(const TraceStep& step) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"where", step.function.empty() ? step_place(step) : step_place(step) + " in " + step.function},
      {"guard", step.guard.empty() ? "none: it always runs" : step.guard}};
  for (const auto& [name, value] : step.decided_by) facts.emplace_back("decided by", name + " is " + value);
  facts.emplace_back("result", std::string(to_string(step.result)));
  if (step.process) facts.emplace_back("process", *step.process);
  if (step.time_s) facts.emplace_back("time", fmt::format("{:.3f} s after the start", *step.time_s));
  return facts_html(facts);
}

std::string step_html(const TraceStep& step, int depth, bool dull) {
  const std::string mark =
      step.mark == StepMark::none ? "" : fmt::format("<span class=\"mark\">{}</span>", mark_text(step.mark));
  return fmt::format(
      "<li class=\"{}\" style=\"--depth:{}\"><details><summary><span class=\"who\">{}</span><span "
      "class=\"what\">{}</span>"
      "{}<code class=\"where\">{}</code></summary>\n{}</details></li>\n",
      step_classes(step, dull), std::clamp(depth, 0, kDeepest), markup_escaped(step_who(step)),
      markup_escaped(step.effect), mark, markup_escaped(step_place(step)), step_detail(step));
}

std::string timeline(const InitTrace& trace) {
  if (trace.steps.empty()) return "";
  const std::vector<const TraceStep*> bright = shown_steps(trace, false);
  const int least = std::ranges::min_element(trace.steps, {}, &TraceStep::depth)->depth;
  std::string steps;
  for (const TraceStep& step : trace.steps)
    steps += step_html(step, step.depth - least, std::ranges::find(bright, &step) == bright.end());
  const std::size_t dull = trace.steps.size() - bright.size();
  const std::string toggle =
      dull == 0
          ? ""
          : fmt::format(
                "<input type=\"checkbox\" class=\"toggle\" id=\"all-steps\"><label for=\"all-steps\"> show "
                "{} steps that were skipped or changed nothing</label>\n",
                dull);
  return "<h3>timeline</h3>\n<div>" + toggle + "<ol class=\"timeline\">\n" + steps + "</ol></div>\n";
}

std::string death_html(const TraceDeath& death) {
  std::string frames;
  for (const TraceFrame& frame : death.frames) {
    frames += markup_escaped(frame_place(frame)) + '\n';
    if (!frame.source.empty()) frames += "    " + markup_escaped(frame.source) + '\n';
  }
  std::vector<std::string> where;
  for (const std::string& part :
       {death.phase, death.worker, death.ranks.empty() ? "" : "ranks " + death.ranks}) {
    if (!part.empty()) where.push_back(part);
  }
  return fmt::format("<div class=\"death\"><h3>{}{}</h3><p>{}</p><pre>{}</pre></div>\n",
                     markup_escaped(death.error),
                     death.message.empty() ? "" : ": " + markup_escaped(death.message),
                     markup_escaped(join(where, ", ")), frames);
}

std::string counterfactuals(const InitTrace& trace) {
  GridLines lines;
  for (const char* name : {"what if", "outcome", "gives up"}) lines.add({name}, Align::left);
  for (const Counterfactual& found : trace.counterfactuals)
    lines.line({join(found.changes, " and "), found.outcome, found.gives_up});
  return grid_html({"what would change it", lines.take(), ""});
}

}  // namespace

std::string trace_html(const InitTrace& trace) {
  std::string text;
  if (trace.death) text += death_html(*trace.death);
  text += counterfactuals(trace) + timeline(trace);
  if (!trace.undecided.empty()) {
    text += "<h3>not known</h3>\n<ul>";
    for (const std::string& condition : trace.undecided)
      text += fmt::format("<li><code>{}</code></li>\n", markup_escaped(condition));
    text += "</ul>\n";
  }
  if (!trace.facts.empty()) text += folded_html("what it was decided with", facts_html(trace.facts));
  return text;
}

}  // namespace ringside
