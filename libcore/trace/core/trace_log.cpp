#include "trace/core/trace_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trace/core/explain.hpp"
#include "trace/core/log_compare.hpp"
#include "trace/core/log_verdict.hpp"
#include "trace/core/rank_list.hpp"
#include "trace/core/tell_message.hpp"

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

// What of the launch is known, from its log and from who described it.
KnownLaunch known_launch(const LoggedLaunch& launch, const Launch* given) {
  KnownLaunch known;
  if (given) {
    known.args = given->args;
    known.environment = given->environment;
  }
  if (launch.server_args.empty()) return known;
  if (!known.args) known.args.emplace();
  for (const auto& [field, value] : launch.server_args) known.args->insert_or_assign(field, value);
  return known;
}

constexpr std::size_t kSaidBefore = 4;  // lines

// A death that no signature knows.
Finding unknown_death(const LoggedLaunch& launch, const LogVerdict& verdict,
                      const std::vector<std::string>& last_lines, const Launch* given,
                      const LogSource& tree) {
  const TraceDeath& death = *verdict.death;
  const bool traceback = !death.error.empty();
  Finding finding{
      "unknown-death",
      Severity::error,
      traceback ? death.error : "launch",
      verdict.wordless ? "it ended without a traceback and without last words"
      : !traceback     ? "it ended without a traceback; these are its last words"
      : verdict.alone
          ? "it is none of the deaths that ringside knows"
          : "this only passes on that another process died: what that one died of is not in the log",
      {},
      ""};
  const std::size_t said = verdict.before.size();
  for (std::size_t i = said - std::min(said, kSaidBefore); i < said; ++i)
    finding.evidence.push_back("before it: " + verdict.before[i]);
  tell_message(death, known_launch(launch, given), tree, finding);
  if (!traceback) {
    for (const DeathNotice& notice : launch.notices)
      finding.evidence.push_back(fmt::format("line {}: {}", notice.line, notice.text));
    if (verdict.wordless)
      for (const std::string& line : last_lines) finding.evidence.push_back("last: " + line);
    if (death.phase.starts_with("SIGKILL"))
      finding.remedy =
          "SIGKILL comes from outside the process: look for the OOM killer in dmesg, for a memory limit of "
          "the "
          "container, and for a person or a script";
  }
  return finding;
}

void add_findings(const LoggedLaunch& launch, const LogVerdict& verdict,
                  const std::vector<Signature>& signatures, const std::vector<std::string>& last_lines,
                  const Launch* given, const LogSource& tree, Document& document) {
  if (verdict.signature) {
    for (Finding& finding : explain(*verdict.signature, log_names(launch, *verdict.death))) {
      if (finding.kind == finding_kind("root-cause"))
        for (const std::string& line : verdict.signature->lines_near(verdict.before))
          finding.evidence.insert(finding.evidence.begin(), "before it: " + line);
      add_finding(document, std::move(finding));
    }
  } else if (verdict.death) {
    add_finding(document, unknown_death(launch, verdict, last_lines, given, tree));
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
               const std::optional<Pipeline>& pipeline, Document& document, const Launch* given,
               const LogSource& tree) {
  std::vector<LogVerdict> verdicts;
  for (const LoggedLaunch& launch : report.launches)
    verdicts.push_back(judge_launch(launch, signatures, origin));
  const std::size_t chosen = answered(report.launches, verdicts);
  const LoggedLaunch& launch = report.launches[chosen];
  const LogVerdict& verdict = verdicts[chosen];
  const LoggedFacts facts{launch.server_args, launch.model_class, launch.ready_at};
  InitTrace trace;
  trace.scopes = observed_scopes(facts);
  trace.pipeline = pipeline ? pipeline->name : "";
  trace.title = fmt::format("the log {} ({} lines)", origin, report.lines);
  trace.outcome = verdict.outcome;
  trace.summary = verdict.summary;
  trace.death = verdict.death;
  if (!launch.model_class.empty()) trace.facts.emplace_back("class", launch.model_class);
  add_milestones(launch, origin, trace);
  document.trace = std::move(trace);
  add_findings(launch, verdict, signatures, report.last_lines, given, tree, document);
  add_launches(report, verdicts, chosen, document);
  for (const std::string& note : report.notes)
    add_finding(document, {finding_kind("log-not-read"), Severity::warning, "log", note, {}, ""});
  if (pipeline && (given || !launch.server_args.empty()))
    follow_logged_launch(facts, *pipeline, given, signatures, document);
}

}  // namespace ringside
