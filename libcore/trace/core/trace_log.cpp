#include "trace/core/trace_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "served/log_line.hpp"
#include "trace/core/rank_list.hpp"
#include "trace/sglang/launch_model.hpp"
#include "trace/sglang/trace_launch.hpp"

namespace ringside {

namespace {

// The death that a log is about.
struct Verdict {
  std::string outcome = kUnknown;
  std::optional<TraceDeath> death;
  const Signature* signature = nullptr;
  bool truncated = false;
  bool after_ready = false;  // it had come up before
};

bool same_end(const TraceDeath& a, const TraceDeath& b) {
  if (a.error != b.error || a.frames.empty() != b.frames.empty()) return false;
  return a.frames.empty() ||
         (a.frames.back().file == b.frames.back().file && a.frames.back().line == b.frames.back().line);
}

std::string ranks_of(const std::vector<LoggedTraceback>& tracebacks, const TraceDeath& death) {
  std::vector<int> ranks;
  for (const LoggedTraceback& traceback : tracebacks)
    if (const int rank = rank_number(traceback.rank); rank >= 0 && same_end(traceback.death, death))
      ranks.push_back(rank);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return format_ranks(ranks);
}

// The first lost process tells why; the others often die of its death. What it raised first is the reason,
// what was raised while that was handled only wraps it.
Verdict judge(const LogReport& report, const std::vector<Signature>& signatures) {
  const auto& all = report.tracebacks;
  const bool up = report.ready_at > 0;
  auto first =
      std::find_if(all.begin(), all.end(), [](const LoggedTraceback& t) { return t.fatal && !t.chained; });
  if (first == all.end())
    first = std::find_if(all.begin(), all.end(), [](const LoggedTraceback& t) { return t.fatal; });
  if (first == all.end() && !all.empty() && !up) {
    first = std::prev(all.end());
    while (first != all.begin() && first->chained) --first;
  }
  // A launch that died, and was started again until it came up, is in the same log.
  const bool recovered =
      up && report.signs.empty() && std::none_of(all.begin(), all.end(), [&](const LoggedTraceback& t) {
        return t.fatal && t.line > report.ready_at;
      });
  Verdict verdict;
  verdict.after_ready = up;
  if (recovered) {
    verdict.outcome = kPass;
    return verdict;
  }
  if (first == all.end()) {
    if (!report.signs.empty()) verdict.outcome = kUnknownDeath;
    return verdict;
  }
  verdict.after_ready = first->line > report.ready_at && up;
  auto chosen = first;
  for (auto next = first; next != all.end() && (next == first || next->chained); ++next) {
    verdict.signature = find_signature(signatures, next->death);
    chosen = next;
    if (verdict.signature) break;
  }
  if (!verdict.signature) chosen = first;
  verdict.death = chosen->death;
  verdict.truncated = chosen->truncated;
  verdict.death->ranks = ranks_of(all, chosen->death);
  verdict.outcome = verdict.signature ? verdict.signature->id : kUnknownDeath;
  return verdict;
}

std::string reached_text(const LogReport& report) {
  if (report.milestones.empty()) return "no step of the start is in the log";
  const ReachedMilestone& last = report.milestones.back();
  return fmt::format(
      "the last step in the log is '{}' (line {}{})", last.milestone->step, last.line,
      last.ranks.empty() ? "" : fmt::format(", ranks {}", format_ranks([ranks = last.ranks]() mutable {
                                              std::sort(ranks.begin(), ranks.end());
                                              return ranks;
                                            }())));
}

std::string summary_of(const LogReport& report, const Verdict& verdict) {
  if (verdict.outcome == kPass) return "the server came up";
  const char* came_up = verdict.after_ready ? "it had come up; then " : "";
  if (!verdict.death) {
    return verdict.outcome == kUnknownDeath
               ? fmt::format("{}it ended without a traceback: {}; {}", came_up, report.signs.front(),
                             reached_text(report))
               : fmt::format("the log shows neither a death nor a server that is ready; {}",
                             reached_text(report));
  }
  const std::string where =
      verdict.death->frames.empty()
          ? ""
          : fmt::format(" at {}:{}", verdict.death->frames.back().file, verdict.death->frames.back().line);
  const std::string who =
      verdict.death->ranks.empty() ? "" : fmt::format(" on {}", ranks_text(verdict.death->ranks));
  if (verdict.truncated)
    return fmt::format("the log is cut off inside a traceback{}{}; {}", where, who, reached_text(report));
  return fmt::format("{}it died of {}{}{}{}; {}", came_up, error_text(*verdict.death), where, who,
                     verdict.signature ? ": " + verdict.signature->title : "", reached_text(report));
}

void add_milestones(const LogReport& report, const std::string& origin, InitTrace& trace) {
  for (const ReachedMilestone& reached : report.milestones) {
    TraceStep step;
    std::vector<int> ranks = reached.ranks;
    std::sort(ranks.begin(), ranks.end());
    step.worker = "log";
    step.ranks = format_ranks(ranks);
    step.file = origin;
    step.line = static_cast<int>(std::min<long>(reached.line, 2147483647));
    step.effect = reached.milestone->step;
    trace.steps.push_back(std::move(step));
  }
}

// Names for an explanation that has only the log.
Lookup log_names(const LogReport& report, const TraceDeath& death) {
  const Lookup names = explanation_names(death);
  return [names, model = report.model_class, args = report.server_args](const std::string& name) -> Value {
    if (name == "target.name" && !model.empty()) return model;
    if (name.starts_with("args."))
      if (const auto found = args.find(name.substr(5)); found != args.end()) return found->second;
    return names(name);
  };
}

void add_findings(const LogReport& report, const Verdict& verdict, const std::vector<Signature>& signatures,
                  Document& document) {
  if (verdict.signature) {
    for (Finding& finding : explain(*verdict.signature, log_names(report, *verdict.death)))
      add_finding(document, std::move(finding));
  } else if (verdict.death) {
    for (Finding& finding : explain_unknown(*verdict.death)) add_finding(document, std::move(finding));
  } else if (verdict.outcome == kUnknownDeath) {
    Finding finding{
        "unknown-death", Severity::error, "launch", "it ended without a traceback", report.signs, ""};
    for (const std::string& line : report.last_lines) finding.evidence.push_back("last: " + line);
    add_finding(document, std::move(finding));
  }
  for (const auto& [id, line] : report.warnings) {
    const auto found = std::find_if(signatures.begin(), signatures.end(),
                                    [&id = id](const Signature& s) { return s.id == id; });
    if (found == signatures.end()) continue;
    add_finding(
        document,
        {finding_kind("known-warning"), Severity::warning, id, found->causes.front().text, {line}, ""});
  }
}

// The same launch, followed through the pipeline: does it end as the log says?
void compare(const LogReport& report, const Verdict& verdict, const Pipeline& pipeline,
             const std::vector<Signature>& signatures, Document& document) {
  Launch launch;
  launch.args = report.server_args;
  add_models(launch);
  if (launch.model.architecture.is_unknown() && !report.model_class.empty()) {
    launch.model.architecture = report.model_class;
    launch.model.name = report.model_class;
  }
  const Evaluation evaluation = evaluate(pipeline, launch);
  const std::string predicted = outcome_of(evaluation, signatures);
  InitTrace& trace = *document.trace;
  trace.steps.insert(trace.steps.begin(), evaluation.steps.begin(), evaluation.steps.end());
  const bool agrees = predicted == verdict.outcome;
  add_finding(
      document,
      {agrees ? "pipeline-agrees" : "pipeline-differs", agrees ? Severity::note : Severity::warning,
       pipeline.name,
       fmt::format("following the arguments in the log through {} ends in {}{}", pipeline.title, predicted,
                   agrees ? ", as in the log" : fmt::format(", the log in {}", verdict.outcome)),
       evaluation.undecided, ""});
  if (agrees && verdict.signature)
    for (Finding& finding : explain(*verdict.signature, explanation_names(pipeline, launch, evaluation)))
      if (finding.kind == finding_kind("root-cause")) add_finding(document, std::move(finding));
}

}  // namespace

void trace_log(const LogReport& report, const std::string& origin, const std::vector<Signature>& signatures,
               const std::optional<Pipeline>& pipeline, Document& document) {
  const Verdict verdict = judge(report, signatures);
  InitTrace trace;
  trace.pipeline = pipeline ? pipeline->name : "";
  trace.title = fmt::format("the log {} ({} lines)", origin, report.lines);
  trace.outcome = verdict.outcome;
  trace.summary = summary_of(report, verdict);
  trace.death = verdict.death;
  if (!report.model_class.empty()) trace.facts.emplace_back("class", report.model_class);
  add_milestones(report, origin, trace);
  document.trace = std::move(trace);
  add_findings(report, verdict, signatures, document);
  if (pipeline && !report.server_args.empty()) compare(report, verdict, *pipeline, signatures, document);
}

}  // namespace ringside
