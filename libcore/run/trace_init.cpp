#include "run/trace_init.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "run/run_document.hpp"
#include "run/trace_request.hpp"
#include "trace/core/log_reader.hpp"
#include "trace/core/trace_log.hpp"
#include "trace/core/what_if.hpp"
#include "trace/sglang/live_run.hpp"
#include "trace/sglang/trace_launch.hpp"

namespace ringside {
namespace {

void check_expectation(const std::string& expect, const std::vector<Signature>& signatures) {
  std::vector<std::string> names = {kPass, kUnknown, kUnknownDeath};
  for (const Signature& signature : signatures) names.push_back(signature.id);
  if (std::find(names.begin(), names.end(), expect) == names.end())
    throw UsageError(fmt::format("--expect: unknown outcome '{}'{}; see ringside list signatures", expect,
                                 did_you_mean(expect, names)));
}

void add_counterfactuals(const TraceRequest& request, const std::vector<Signature>& signatures,
                         Document& document) {
  InitTrace& trace = *document.trace;
  trace.counterfactuals =
      what_if(request.pipeline, request.launch, trace.outcome, signatures, load_changes());
  const bool comes_up = trace.outcome == kPass ||
                        std::any_of(trace.counterfactuals.begin(), trace.counterfactuals.end(),
                                    [](const Counterfactual& found) { return found.outcome == kPass; });
  if (!comes_up)
    add_finding(document, {finding_kind("no-change-helps"),
                           Severity::note,
                           "--what-if",
                           "no change of one or two flags makes it come up",
                           {},
                           ""});
}

void trace_saved_log(const TraceOptions& options, const std::vector<Signature>& signatures,
                     const std::vector<Milestone>& milestones, Document& document) {
  const LogReport report = read_log(*options.log, signatures, milestones);
  std::vector<std::string> architectures;
  if (const std::string& name = report.launches.back().model_class; !name.empty())
    architectures.push_back(name);
  trace_log(report, *options.log == "-" ? "stdin" : *options.log, signatures,
            chosen_pipeline(options, architectures), document, options.source);
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

}  // namespace

ExitCode run_trace(const TraceOptions& options, Document& document) {
  const std::vector<Signature> signatures = load_signatures();
  if (options.expect) check_expectation(*options.expect, signatures);
  std::string expect = options.expect.value_or("");
  const std::vector<Milestone> milestones = load_milestones();
  if (options.live) {
    install_interrupt_handlers();
    const LiveRun run = run_live(options.command, signatures, milestones, interrupt_requested);
    trace_live(run, signatures, document);
    say_withheld(document, run.log.withheld, "the output");
    if (run.interrupted) return interrupted(document);
  } else if (options.log) {
    trace_saved_log(options, signatures, milestones, document);
  } else {
    const TraceRequest request = resolve(options);
    expect = request.expect;
    document.inputs = request.inputs;
    say_withheld(document, request.withheld, "the inputs");
    say_withheld(document, request.launch.withheld, "the command");
    trace_launch(request.pipeline, request.launch, signatures, document);
    if (options.what_if) add_counterfactuals(request, signatures, document);
  }
  document.complete = true;
  if (expect.empty() || document.trace->outcome == expect) return ExitCode::ok;
  add_finding(document, {finding_kind("unexpected-outcome"),
                         Severity::error,
                         expect,
                         fmt::format("expected {}, but it ends in {}", expect, document.trace->outcome),
                         {},
                         ""});
  return ExitCode::regression;
}

}  // namespace ringside
