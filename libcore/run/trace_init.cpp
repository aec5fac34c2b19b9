#include "run/trace_init.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "run/run_document.hpp"
#include "run/trace_ras.hpp"
#include "run/trace_request.hpp"
#include "trace/core/coverage.hpp"
#include "trace/core/log_reader.hpp"
#include "trace/core/trace_log.hpp"
#include "trace/core/what_if.hpp"
#include "trace/sglang/live_run.hpp"
#include "trace/sglang/trace_launch.hpp"

namespace ringside {
namespace {

void check_expectation(const std::string& expect, const std::vector<Signature>& signatures) {
  const std::vector<std::string> names = outcome_names(signatures);
  if (std::find(names.begin(), names.end(), expect) == names.end())
    throw UsageError(fmt::format("--expect: unknown outcome '{}'{}; see ringside list signatures", expect,
                                 did_you_mean(expect, names)));
}

void add_counterfactuals(const TraceRequest& request, const std::vector<Signature>& signatures,
                         Document& document) {
  InitTrace& trace = *document.trace;
  trace.counterfactuals =
      what_if(request.pipeline, request.launch, trace.outcome, signatures, load_changes());
  const bool mended =
      trace.outcome == kNoFailureFound ||
      std::any_of(trace.counterfactuals.begin(), trace.counterfactuals.end(),
                  [](const Counterfactual& found) { return found.outcome == kNoFailureFound; });
  if (!mended)
    add_finding(document, {finding_kind("no-change-helps"),
                           Severity::note,
                           "--what-if",
                           "no change of one or two flags leads to an outcome without a failure",
                           {},
                           ""});
}

void trace_saved_log(const TraceOptions& options, const std::vector<Signature>& signatures,
                     const std::vector<Milestone>& milestones, Document& document) {
  const LogReport report = read_log(*options.log, signatures, milestones);
  const std::string origin = *options.log == "-" ? "stdin" : *options.log;
  if (options.scenario || options.command_file || !options.command.empty()) {
    const TraceRequest request = resolve(options);
    document.inputs = request.inputs;
    say_withheld(document, request.withheld, "the inputs");
    say_withheld(document, request.launch.withheld, "the command");
    trace_log(report, origin, signatures, request.pipeline, document, &request.launch, options.source);
    for (const Finding& finding : request.launch.findings) add_finding(document, finding);
    if (options.what_if) add_counterfactuals(request, signatures, document);
    say_withheld(document, report.withheld, "the log");
    return;
  }
  std::vector<std::string> architectures;
  if (const std::string& name = report.launches.back().model_class; !name.empty())
    architectures.push_back(name);
  const std::optional<Pipeline> pipeline = chosen_pipeline(options, architectures);
  trace_log(report, origin, signatures, pipeline, document, nullptr, options.source);
  say_withheld(document, report.withheld, "the log");
}

ExitCode interrupted(Document& document) {
  document.complete = false;
  add_finding(document, {finding_kind("interrupted"),
                         Severity::warning,
                         "command",
                         "the command was interrupted; the trace ends there",
                         {},
                         ""});
  return ExitCode::interrupted;
}

// "No failure found" says nothing of what was not looked at.
ExitCode covered(const TraceOptions& options, Document& document) {
  const std::vector<std::string> wanted =
      options.scopes.empty() ? std::vector<std::string>{kArgumentsScope, kExpertsScope} : options.scopes;
  const std::vector<std::string> missing = uncovered(document.trace->scopes, wanted);
  if (document.trace->outcome != kNoFailureFound || missing.empty()) return ExitCode::ok;
  add_finding(document,
              {finding_kind("scope-not-covered"), Severity::warning, join(missing, ", "),
               fmt::format("no failure was found, but this was not looked at: {}", join(missing, ", ")),
               document.trace->not_checked, ""});
  return ExitCode::inconclusive;
}

}  // namespace

ExitCode run_trace(const TraceOptions& options, Document& document) {
  const std::vector<Signature> signatures = load_signatures();
  if (options.expect) check_expectation(outcome_named(*options.expect), signatures);
  std::string expect = outcome_named(options.expect.value_or(""));
  const std::vector<Milestone> milestones = load_milestones();
  if (options.live) {
    install_interrupt_handlers();
    const LiveRun run = run_live(options.command, signatures, milestones, interrupt_requested);
    trace_live(run, signatures, document);
    say_withheld(document, run.log.withheld, "the output");
    if (run.interrupted) return interrupted(document);
  } else if (options.ras) {
    trace_ras(options, document);
  } else if (options.log) {
    trace_saved_log(options, signatures, milestones, document);
  } else {
    const TraceRequest request = resolve(options);
    expect = outcome_named(request.expect);
    document.inputs = request.inputs;
    say_withheld(document, request.withheld, "the inputs");
    say_withheld(document, request.launch.withheld, "the command");
    trace_launch(request.pipeline, request.launch, signatures, document);
    if (options.what_if) add_counterfactuals(request, signatures, document);
  }
  document.complete = true;
  if (expect.empty()) return ExitCode::ok;
  if (document.trace->outcome == expect) return covered(options, document);
  add_finding(document, {finding_kind("unexpected-outcome"),
                         Severity::error,
                         expect,
                         fmt::format("expected {}, but it ends in {}", expect, document.trace->outcome),
                         {},
                         ""});
  return ExitCode::regression;
}

}  // namespace ringside
