#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/render/html/page.hpp"
#include "report/render/markup.hpp"

namespace ringside {
namespace {

constexpr int kDeepest = 12;  // of the indent

std::string classes(const StepItem& step) {
  std::string text = step.state;
  if (step.dull) text += " dull";
  if (step.fatal) return text + " died";
  return step.mark.empty() ? text : text + " marked";
}

std::string step_html(const StepItem& step) {
  const std::string mark =
      step.mark.empty() ? "" : fmt::format("<span class=\"mark\">{}</span>", markup_escaped(step.mark));
  return fmt::format(
      "<li class=\"{}\" style=\"--depth:{}\"><details><summary><span class=\"who\">{}</span><span "
      "class=\"what\">{}</span>"
      "{}<code class=\"where\">{}</code></summary>\n{}</details></li>\n",
      markup_escaped(classes(step)), std::clamp(step.depth, 0, kDeepest), markup_escaped(step.who),
      markup_escaped(step.what), mark, markup_escaped(step.where), facts_html(step.details));
}

}  // namespace

std::string steps_html(const StepList& steps) {
  if (steps.steps.empty()) return "";
  std::string list;
  for (const StepItem& step : steps.steps) list += step_html(step);
  const auto dull = std::ranges::count(steps.steps, true, &StepItem::dull);
  const std::string toggle =
      dull == 0
          ? ""
          : fmt::format(
                "<input type=\"checkbox\" class=\"toggle\" id=\"all-steps\"><label for=\"all-steps\"> show "
                "{} steps that were skipped or changed nothing</label>\n",
                dull);
  return "<h3>timeline</h3>\n<div>" + toggle + "<ol class=\"timeline\">\n" + list + "</ol></div>\n";
}

std::string backtrace_html(const Backtrace& trace) {
  std::string frames;
  for (const std::string& text : trace.more) frames += markup_escaped(text) + '\n';
  for (const Backtrace::Frame& frame : trace.frames) {
    frames += markup_escaped(frame.place) + '\n';
    if (!frame.source.empty()) frames += "    " + markup_escaped(frame.source) + '\n';
  }
  std::vector<std::string> where;
  for (const std::string& part :
       {trace.phase, trace.worker, trace.ranks.empty() ? "" : "ranks " + trace.ranks}) {
    if (!part.empty()) where.push_back(part);
  }
  return fmt::format("<div class=\"death\"><h3>{}{}</h3><p>{}</p><pre>{}</pre></div>\n",
                     markup_escaped(trace.error),
                     trace.message.empty() ? "" : ": " + markup_escaped(trace.message),
                     markup_escaped(join(where, ", ")), frames);
}

}  // namespace ringside
