#include "trace/core/trace_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trace/core/log_verdict.hpp"
#include "trace/core/rank_list.hpp"
#include "trace/core/tell_message.hpp"
#include "trace/sglang/model_facts.hpp"
#include "trace/sglang/trace_launch.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxEarlier = 20;  // that are listed

void add_milestones(const LoggedLaunch& launch, const std::string& origin, InitTrace& trace) {
  for (const ReachedMilestone& reached : launch.milestones) {
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
Lookup log_names(const LoggedLaunch& launch, const TraceDeath& death) {
  const Lookup names = explanation_names(death);
  return [names, model = launch.model_class, args = launch.server_args](const std::string& name) -> Value {
    if (name == "target.name" && !model.empty()) return model;
    if (name.starts_with("args."))
      if (const auto found = args.find(name.substr(5)); found != args.end()) return found->second;
    return names(name);
  };
}

// A death that no signature knows.
Finding unknown_death(const LoggedLaunch& launch, const LogVerdict& verdict,
                      const std::vector<std::string>& last_lines, const LogSource& tree) {
  const TraceDeath& death = *verdict.death;
  const bool traceback = !death.error.empty();
  Finding finding{
      "unknown-death",
      Severity::error,
      traceback ? death.error : "launch",
      !traceback ? "it ended without a traceback; these are its last words"
      : verdict.alone
          ? "it is none of the deaths that ringside knows"
          : "this only passes on that another process died: what that one died of is not in the log",
      {},
      ""};
  constexpr std::size_t kSaidBefore = 4;
  const std::size_t said = verdict.before.size();
  for (std::size_t i = said - std::min(said, kSaidBefore); i < said; ++i)
    finding.evidence.push_back("before it: " + verdict.before[i]);
  tell_message(death,
               {launch.server_args.empty() ? std::nullopt : std::optional(launch.server_args), std::nullopt},
               tree, finding);
  if (!traceback) {
    for (const DeathNotice& notice : launch.notices)
      finding.evidence.push_back(fmt::format("line {}: {}", notice.line, notice.text));
    for (const std::string& line : last_lines) finding.evidence.push_back("last: " + line);
  }
  return finding;
}

void add_findings(const LoggedLaunch& launch, const LogVerdict& verdict,
                  const std::vector<Signature>& signatures, const std::vector<std::string>& last_lines,
                  const LogSource& tree, Document& document) {
  if (verdict.signature) {
    for (Finding& finding : explain(*verdict.signature, log_names(launch, *verdict.death)))
      add_finding(document, std::move(finding));
  } else if (verdict.death) {
    add_finding(document, unknown_death(launch, verdict, last_lines, tree));
  }
  for (const auto& [id, line] : launch.warnings) {
    const auto found = std::find_if(signatures.begin(), signatures.end(),
                                    [&id = id](const Signature& s) { return s.id == id; });
    if (found == signatures.end()) continue;
    add_finding(
        document,
        {finding_kind("known-warning"), Severity::warning, id, found->causes.front().text, {line}, ""});
  }
}

// The same launch, followed through the pipeline: does it end as the log says?
void compare(const LoggedLaunch& launch_log, const LogVerdict& verdict, const Pipeline& pipeline,
             const std::vector<Signature>& signatures, Document& document) {
  Launch launch;
  launch.args = launch_log.server_args;
  add_models(launch);
  if (launch.model.architecture.is_unknown() && !launch_log.model_class.empty()) {
    launch.model.architecture = launch_log.model_class;
    launch.model.name = launch_log.model_class;
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

// Which launch the answer is about: the last of its server, and of several servers the first that died.
std::size_t answered(const std::vector<LoggedLaunch>& launches, const std::vector<LogVerdict>& verdicts) {
  std::size_t chosen = launches.size() - 1;
  bool died = false;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const bool last = i + 1 == launches.size() || launches[i + 1].server != launches[i].server;
    if (!last || !verdicts[i].death) continue;
    if (died && *verdicts[i].death->log_line >= *verdicts[chosen].death->log_line) continue;
    chosen = i;
    died = true;
  }
  return chosen;
}

void add_launches(const LogReport& report, const std::vector<LogVerdict>& verdicts, std::size_t chosen,
                  Document& document) {
  const auto lines = [](const LoggedLaunch& launch) {
    return fmt::format("lines {}-{}", launch.first_line, launch.last_line);
  };
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const LoggedLaunch& launch = report.launches[i];
    document.trace->launches.push_back({launch.server, static_cast<int>(launch.first_line),
                                        static_cast<int>(launch.last_line), verdicts[i].outcome,
                                        verdicts[i].summary});
    if (i == chosen || i + kMaxEarlier < chosen) continue;
    const bool other = launch.server != report.launches[chosen].server;
    add_finding(document,
                {other ? finding_kind("other-server") : finding_kind("earlier-launch"), Severity::note,
                 other ? launch.server : lines(launch),
                 fmt::format("{}: {}: {}", other ? "another server in the log" : "an earlier launch",
                             verdicts[i].outcome, verdicts[i].summary),
                 other ? std::vector<std::string>{lines(launch)} : std::vector<std::string>{}, ""});
  }
}

}  // namespace

void trace_log(const LogReport& report, const std::string& origin, const std::vector<Signature>& signatures,
               const std::optional<Pipeline>& pipeline, Document& document, const LogSource& tree) {
  std::vector<LogVerdict> verdicts;
  for (const LoggedLaunch& launch : report.launches)
    verdicts.push_back(judge_launch(launch, signatures, origin));
  const std::size_t chosen = answered(report.launches, verdicts);
  const LoggedLaunch& launch = report.launches[chosen];
  const LogVerdict& verdict = verdicts[chosen];
  InitTrace trace;
  trace.pipeline = pipeline ? pipeline->name : "";
  trace.title = fmt::format("the log {} ({} lines)", origin, report.lines);
  trace.outcome = verdict.outcome;
  trace.summary = verdict.summary;
  trace.death = verdict.death;
  if (!launch.model_class.empty()) trace.facts.emplace_back("class", launch.model_class);
  add_milestones(launch, origin, trace);
  document.trace = std::move(trace);
  add_findings(launch, verdict, signatures, report.last_lines, tree, document);
  add_launches(report, verdicts, chosen, document);
  for (const std::string& note : report.notes)
    add_finding(document, {finding_kind("log-not-read"), Severity::warning, "log", note, {}, ""});
  if (pipeline && !launch.server_args.empty()) compare(launch, verdict, *pipeline, signatures, document);
}

}  // namespace ringside
