#include "report/trace_steps.hpp"

#include <fmt/format.h>

namespace ringside {

std::vector<const TraceStep*> shown_steps(const InitTrace& trace, bool everything) {
  std::vector<const TraceStep*> steps;
  for (const TraceStep& step : trace.steps) {
    const bool dull = step.result == StepResult::skipped || step.effect.starts_with("holds: ");
    if (everything || !dull || step.mark != StepMark::none) steps.push_back(&step);
  }
  return steps;
}

std::string step_place(const TraceStep& step) {
  return step.file.empty() ? "" : fmt::format("{}:{}", step.file, step.line);
}

std::string step_who(const TraceStep& step) {
  return step.ranks.empty() ? step.worker : fmt::format("{} {}", step.worker, step.ranks);
}

std::string step_because(const TraceStep& step) {
  std::string text;
  for (const auto& [name, value] : step.decided_by) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} is {}", name, value);
  }
  return text;
}

std::string_view mark_text(StepMark mark) {
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

std::string frame_place(const TraceFrame& frame) {
  std::string text = fmt::format("{}:{}", frame.file, frame.line);
  if (!frame.function.empty()) text += " in " + frame.function;
  return text;
}

}  // namespace ringside
