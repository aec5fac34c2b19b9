#include <algorithm>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "model/json_scalars.hpp"
#include "trace/core/explain.hpp"
#include "trace/core/trace_log.hpp"
#include "trace/sglang/live_run.hpp"

namespace ringside {

namespace {

template <typename T>
T get(const JsonEntry& entry, T otherwise) {
  const T* value = std::get_if<T>(&entry.value);
  return value ? *value : otherwise;
}

double number(const JsonEntry& entry) {
  if (const auto* real = std::get_if<double>(&entry.value)) return *real;
  return static_cast<double>(get<std::int64_t>(entry, 0));
}

// "stack[3][0]" -> 3 and 0.
void read_stack(const JsonEntry& entry, std::vector<TraceFrame>& stack) {
  const std::size_t open = entry.path.find('['), close = entry.path.find(']');
  const std::size_t frame = static_cast<std::size_t>(std::atol(entry.path.c_str() + open + 1));
  if (frame > 64 || close == std::string::npos) return;
  if (stack.size() <= frame) stack.resize(frame + 1);
  if (entry.path.ends_with("[0]")) stack[frame].file = get<std::string>(entry, "");
  if (entry.path.ends_with("[1]")) stack[frame].line = static_cast<int>(get<std::int64_t>(entry, 0));
  if (entry.path.ends_with("[2]")) stack[frame].function = get<std::string>(entry, "");
}

LiveEvent parse_event(const std::string& line, double start) {
  LiveEvent event;
  for (const JsonEntry& entry : json_scalars(line, "the hook's report")) {
    if (entry.path == "time")
      event.time_s = number(entry) - start;
    else if (entry.path == "pid")
      event.pid = static_cast<int>(get<std::int64_t>(entry, 0));
    else if (entry.path == "process")
      event.process = get<std::string>(entry, "");
    else if (entry.path == "kind")
      event.kind = get<std::string>(entry, "");
    else if (entry.path == "value")
      event.value = get<std::string>(entry, "");
    else if (entry.path == "worker")
      event.worker = get<std::string>(entry, "");
    else if (entry.path == "rank")
      event.rank = static_cast<int>(get<std::int64_t>(entry, -1));
    else if (entry.path.starts_with("stack["))
      read_stack(entry, event.stack);
  }
  return event;
}

std::string effect_of(const LiveEvent& event) {
  if (event.kind == "set") return fmt::format("expert_location_metadata = {}", event.value);
  if (event.kind == "get") return fmt::format("reads expert_location_metadata: {}", event.value);
  return fmt::format("{} in init_new", event.value);
}

std::string short_path(const std::string& path) {
  for (const std::string_view root : {"sglang/srt/", "/sglang/"})
    if (const std::size_t at = path.rfind(root); at != std::string::npos)
      return path.substr(at + root.size());
  return path;
}

TraceStep step_of(const LiveEvent& event) {
  TraceStep step;
  step.worker = event.worker.empty() ? "?" : event.worker;
  step.ranks = event.rank < 0 ? "" : fmt::format("{}", event.rank);
  if (!event.stack.empty()) {
    step.file = short_path(event.stack.back().file);
    step.line = event.stack.back().line;
    step.function = event.stack.back().function;
  }
  step.effect = effect_of(event);
  step.time_s = event.time_s;
  step.process = fmt::format("{} (pid {})", event.process, event.pid);
  if (event.kind == "set" && event.value == "None") step.mark = StepMark::set_to_none;
  if (event.kind == "assert") {
    step.mark = StepMark::died;
    step.result = StepResult::died;
  }
  return step;
}

}  // namespace

std::vector<LiveEvent> parse_events(const std::string& text, double start) {
  std::vector<LiveEvent> events;
  for (const std::string& line : split(text, '\n')) {
    if (trim(line).empty()) continue;
    try {
      events.push_back(parse_event(line, start));
    } catch (const UsageError&) {  // cut off when its process was killed
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const LiveEvent& a, const LiveEvent& b) { return a.time_s < b.time_s; });
  return events;
}

void trace_live(const LiveRun& run, const std::vector<Signature>& signatures, Document& document) {
  trace_log(run.log, "output", signatures, std::nullopt, document);
  InitTrace& trace = *document.trace;
  trace.title = "a live run";
  for (const LiveEvent& event : run.events) trace.steps.push_back(step_of(event));
  if (run.events.empty())
    add_finding(document, {finding_kind("no-events"),
                           Severity::warning,
                           "hook",
                           "the hook saw nothing: no process imported sglang's expert_location module",
                           {},
                           ""});
  const auto none = std::find_if(run.events.begin(), run.events.end(), [](const LiveEvent& event) {
    return event.kind == "set" && event.value == "None";
  });
  if (none == run.events.end() || none->stack.empty()) return;
  for (Finding& finding : document.findings)
    if (finding.kind == finding_kind("root-cause"))
      finding.evidence.push_back(
          fmt::format("{}:{} set the metadata to None {:.2f} s after the start, in {} (pid {})",
                      short_path(none->stack.back().file), none->stack.back().line, none->time_s,
                      none->process, none->pid));
}

}  // namespace ringside
