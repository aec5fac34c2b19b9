#include "trace/core/log_compare.hpp"

#include <fmt/format.h>

#include "trace/core/coverage.hpp"
#include "trace/core/explain.hpp"
#include "trace/sglang/launch_model.hpp"
#include "trace/sglang/trace_launch.hpp"

namespace ringside {

namespace {

// The launch that a log is of: the given one, or what the log itself prints of its arguments. What the log
// says of the model's class counts more than any table.
Launch launch_of(const LoggedFacts& facts, const Launch* given) {
  Launch launch;
  if (given) {
    launch = *given;
  } else {
    launch.args = facts.args;
    add_models(launch);
  }
  const auto* known = launch.model.architecture.as<std::string>();
  if (!facts.model_class.empty() && (!known || *known != facts.model_class)) {
    launch.model = {};
    launch.model.architecture = facts.model_class;
    launch.model.name = facts.model_class;
  }
  return launch;
}

void note_differences(const LoggedFacts& facts, const Launch& given, Document& document) {
  std::vector<std::string> lines;
  for (const auto& [field, value] : given.args)
    if (const auto logged = facts.args.find(field);
        logged != facts.args.end() && equal(value, logged->second) == Truth::no)
      lines.push_back(fmt::format("{}: {} in the command, {} in the log", field, to_text(value),
                                  to_text(logged->second)));
  if (lines.empty()) return;
  add_finding(document, {finding_kind("log-differs"), Severity::warning, "command",
                         "the log was printed by another launch than the command's", lines,
                         "give the command that the log is of"});
}

// The log doesn't say how it ended: what following the launch says is the answer.
void take_over(const std::string& predicted, const Evaluation& evaluation, const Pipeline& pipeline,
               const Launch& launch, const std::vector<Signature>& signatures, Document& document) {
  InitTrace& trace = *document.trace;
  trace.outcome = predicted;
  trace.death = evaluation.death;
  trace.summary += fmt::format(
      "; following the launch through {}: {}", pipeline.title,
      evaluation.death ? "it dies in " + error_text(*evaluation.death) : "nothing fails in what was checked");
  if (!evaluation.death) return;
  const Lookup names = explanation_names(pipeline, launch, evaluation);
  const Signature* signature = find_signature(signatures, *evaluation.death);
  for (Finding& finding : signature ? explain(*signature, names) : explain_unknown(*evaluation.death))
    add_finding(document, std::move(finding));
}

}  // namespace

std::vector<TraceScope> observed_scopes(const LoggedFacts& facts) {
  std::vector<TraceScope> scopes;
  for (const char* name : {kArgumentsScope, kExpertsScope, kMemoryScope}) {
    TraceScope scope;
    scope.scope = name;
    scope.covered = facts.ready_at > 0;
    scope.text = scope.covered ? fmt::format("the server was ready at line {}", facts.ready_at)
                               : "the log alone was read";
    scopes.push_back(std::move(scope));
  }
  return scopes;
}

void follow_logged_launch(const LoggedFacts& facts, const Pipeline& pipeline, const Launch* given,
                          const std::vector<Signature>& signatures, Document& document) {
  const Launch launch = launch_of(facts, given);
  if (given) note_differences(facts, *given, document);
  const Evaluation evaluation = evaluate(pipeline, launch);
  const std::string predicted = outcome_of(evaluation, signatures);
  InitTrace& trace = *document.trace;
  trace.steps.insert(trace.steps.begin(), evaluation.steps.begin(), evaluation.steps.end());
  trace.undecided = evaluation.undecided;
  if (facts.ready_at == 0) {
    trace.scopes = coverage(pipeline, launch, evaluation);
    trace.not_checked = not_checked(pipeline, trace.scopes);
  }
  if (trace.outcome == kUnknown && predicted != kUnknown) {
    take_over(predicted, evaluation, pipeline, launch, signatures, document);
    return;
  }
  const bool agrees = predicted == trace.outcome;
  add_finding(
      document,
      {agrees ? "pipeline-agrees" : "pipeline-differs", agrees ? Severity::note : Severity::warning,
       pipeline.name,
       fmt::format("following the arguments in the log through {} ends in {}{}", pipeline.title, predicted,
                   agrees ? ", as in the log" : fmt::format(", the log in {}", trace.outcome)),
       evaluation.undecided, ""});
  const Signature* signature = evaluation.death ? find_signature(signatures, *evaluation.death) : nullptr;
  if (agrees && signature)
    for (Finding& finding : explain(*signature, explanation_names(pipeline, launch, evaluation)))
      if (finding.kind == finding_kind("root-cause")) add_finding(document, std::move(finding));
}

}  // namespace ringside
