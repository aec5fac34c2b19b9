#include "trace/sglang/trace_launch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trace/core/coverage.hpp"
#include "trace/core/rank_list.hpp"

namespace ringside {

namespace {

// The arguments that this matter turns on: shown with the trace even where no step looked at them.
constexpr const char* kShownArguments[] = {"tp_size",
                                           "ep_size",
                                           "dp_size",
                                           "moe_a2a_backend",
                                           "enable_eplb",
                                           "moe_runner_backend",
                                           "speculative_algorithm",
                                           "ep_dispatch_algorithm",
                                           "disable_cuda_graph"};

std::vector<std::pair<std::string, std::string>> facts_of(const Pipeline& pipeline, const Launch& launch,
                                                          const Lookup& names) {
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back("model", launch.model.name.empty() ? "unknown" : launch.model.name);
  facts.emplace_back("class", to_text(names("target.name")));
  for (const char* key : {"num_hidden_layers", "num_experts"})
    if (const Value value = names(std::string("model.") + key); !value.is_unknown() && !value.is_none())
      facts.emplace_back(std::string("model.") + key, to_text(value));
  for (const char* field : kShownArguments) {
    if (!pipeline.fields.contains(field) && !launch.args.contains(field)) continue;
    facts.emplace_back(std::string("args.") + field, to_text(names(std::string("args.") + field)));
  }
  return facts;
}

std::string summary_of(const std::string& outcome, const Evaluation& evaluation, const Signature* signature) {
  if (outcome == kNoFailureFound) return "nothing fails in what was checked";
  if (outcome == kUnknown && evaluation.undecided.empty())
    return "nothing of the server's own checks of its arguments was found in this tree";
  if (outcome == kUnknown)
    return fmt::format("it can't be decided: {} of the conditions that matter {} not known",
                       evaluation.undecided.size(), evaluation.undecided.size() == 1 ? "is" : "are");
  const TraceDeath& death = *evaluation.death;
  return fmt::format(
      "{} {}{}{}{}", outcome == kRefused ? "the server refuses the launch:" : "it dies in", error_text(death),
      death.frames.empty() ? ""
                           : fmt::format(" at {}:{}", death.frames.back().file, death.frames.back().line),
      death.ranks.empty() ? "" : " on " + ranks_text(death.ranks), signature ? ": " + signature->title : "");
}

// The server's own check that turns the launch down, and the arguments that it looked at.
Finding refusal(const Evaluation& evaluation) {
  const TraceDeath& death = *evaluation.death;
  Finding finding{finding_kind("refused-argument"),
                  Severity::error,
                  death.frames.empty()
                      ? "arguments"
                      : fmt::format("{}:{}", death.frames.back().file, death.frames.back().line),
                  error_text(death),
                  {},
                  ""};
  if (evaluation.steps.empty()) return finding;
  std::vector<std::string> flags;
  for (const auto& [name, value] : evaluation.steps.back().decided_by) {
    finding.evidence.push_back(fmt::format("{} is {}", name, value));
    if (!name.starts_with("args.")) continue;
    std::string flag = "--" + name.substr(5);
    std::replace(flag.begin(), flag.end(), '_', '-');
    flags.push_back(std::move(flag));
  }
  if (!flags.empty())
    finding.remedy = fmt::format("change {} so that the check holds", fmt::join(flags, ", "));
  return finding;
}

void add_problems(const Pipeline& pipeline, Document& document) {
  for (const PipelineProblem& problem : pipeline.problems) {
    const std::string subject = problem.file.empty() ? pipeline.origin : problem.file;
    add_finding(document,
                {"unreadable-source",
                 Severity::warning,
                 subject,
                 problem.file.empty() ? problem.what : fmt::format("{}: {}", problem.file, problem.what),
                 {"what this file decides is unknown"},
                 ""});
  }
}

void add_undecided(const Evaluation& evaluation, const std::string& outcome, Document& document) {
  if (evaluation.undecided.empty()) return;
  const bool decisive = outcome == kUnknown;
  add_finding(
      document,
      {finding_kind("undecided"), decisive ? Severity::warning : Severity::note, "conditions",
       decisive                             ? "the outcome hangs on what is not known"
       : evaluation.possible_deaths.empty() ? "some conditions on the way could not be decided"
                                            : "it may die earlier than that, of what could not be decided",
       evaluation.undecided, ""});
}

}  // namespace

std::string outcome_of(const Evaluation& evaluation, const std::vector<Signature>& signatures) {
  if (evaluation.death) {
    return outcome_of(*evaluation.death, find_signature(signatures, *evaluation.death));
  }
  return evaluation.undecided.empty() && evaluation.possible_deaths.empty() ? kNoFailureFound : kUnknown;
}

void trace_launch(const Pipeline& pipeline, const Launch& launch, const std::vector<Signature>& signatures,
                  Document& document) {
  const Evaluation evaluation = evaluate(pipeline, launch);
  const Lookup names = explanation_names(pipeline, launch, evaluation);
  InitTrace trace;
  trace.pipeline = pipeline.name;
  trace.title = pipeline.title;
  trace.scopes = coverage(pipeline, launch, evaluation);
  trace.not_checked = not_checked(pipeline, trace.scopes);
  trace.outcome = outcome_of(evaluation, signatures);
  if (trace.outcome == kNoFailureFound && pipeline.arguments == "lost") trace.outcome = kUnknown;
  const Signature* signature = evaluation.death ? find_signature(signatures, *evaluation.death) : nullptr;
  trace.summary = summary_of(trace.outcome, evaluation, signature);
  trace.facts = facts_of(pipeline, launch, names);
  trace.steps = evaluation.steps;
  trace.death = evaluation.death;
  trace.undecided = evaluation.undecided;

  for (const Finding& finding : launch.findings) add_finding(document, finding);
  add_problems(pipeline, document);
  if (signature) {
    for (Finding& finding : explain(*signature, names)) add_finding(document, std::move(finding));
  } else if (trace.outcome == kRefused) {
    add_finding(document, refusal(evaluation));
  } else if (evaluation.death) {
    for (Finding& finding : explain_unknown(*evaluation.death)) add_finding(document, std::move(finding));
  }
  add_undecided(evaluation, trace.outcome, document);
  document.trace = std::move(trace);
}

}  // namespace ringside
