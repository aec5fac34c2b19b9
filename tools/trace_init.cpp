#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/nvtx.hpp"
#include "base/output_file.hpp"
#include "base/signals.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "inittrace/live_run.hpp"
#include "inittrace/log_reader.hpp"
#include "inittrace/model_table.hpp"
#include "inittrace/play_back.hpp"
#include "inittrace/source_tree.hpp"
#include "inittrace/trace_launch.hpp"
#include "inittrace/trace_log.hpp"
#include "inittrace/what_if.hpp"
#include "outputs.hpp"
#include "report/listing.hpp"
#include "run_document.hpp"
#include "subcommand.hpp"
#include "trace_request.hpp"

namespace ringside {
namespace {

constexpr int kWhole = 1 << 20;  // into a pipe lines go whole, for grep

class TraceInit final : public Subcommand {
 public:
  std::string_view name() const override { return "trace-init"; }
  std::string_view synopsis() const override { return "[OPTIONS] [SCENARIO | -- COMMAND]"; }
  std::string_view summary() const override {
    return "Why an expert-parallel server did not come up, and the smallest fix";
  }
  std::string_view details() const override {
    return "Follows an SGLang launch through its initialisation, step by step, until it comes up or dies: "
           "from a "
           "scenario, a command line, a source tree, a log, or live. Names the step that failed, the true "
           "cause with "
           "file and line, what is not the cause, and remedies with their cost. Neither a GPU nor SGLang is "
           "needed, "
           "save for --live.";
  }
  std::string_view examples() const override {
    return "  ringside trace-init kimi-k2.5-ep8-flashinfer\n"
           "  ringside trace-init --sglang 0.5.9 --what-if -- python -m sglang.launch_server --model-path X "
           "...\n"
           "  ringside trace-init --source ~/sglang --command-file launch.sh --expect pass\n"
           "  ringside trace-init --source ~/sglang --all-models\n"
           "  ringside trace-init --log server.log --md issue.md\n";
  }
  void declare(OptionTable& options) override { options_.declare(options); }
  ExitCode run(const Invocation& invocation) override;

 private:
  ExitCode print_models();

  TraceOptions options_;
};

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
    add_finding(document, {"no-change-helps",
                           Severity::note,
                           "--what-if",
                           "no change of one or two flags makes it come up",
                           {},
                           ""});
}

void play_back_steps(const InitTrace& trace) {
  if (has_nvtx())
    play_back(trace);
  else
    write_all(STDERR_FILENO, "ringside: --nvtx: this build found no nvtx3 headers\n", "stderr");
}

ExitCode TraceInit::print_models() {
  const Pipeline pipeline = *chosen_pipeline(options_, {});
  ListSection section{"models", {}};
  for (const ModelVerdict& verdict : judge_models(pipeline))
    section.items.push_back({verdict.model->name, to_text(verdict), {{"at", verdict.model->place.text()}}});
  for (const PipelineProblem& problem : pipeline.problems)
    write_all(STDERR_FILENO,
              fmt::format("ringside: {}: {}: what it decides is unknown\n",
                          problem.file.empty() ? pipeline.origin : problem.file, problem.what),
              "stderr");
  bool to_stdout = false;
  for (const auto& [writer, path] : options_.common.outputs) {
    if (writer->name() != "json")
      throw UsageError(fmt::format("--all-models can't be written as {}", writer->name()));
    OutputFile(path).write(listing_json(std::span(&section, 1)));
    to_stdout = to_stdout || path == "-";
  }
  if (!to_stdout)
    write_stdout(listing_text(std::span(&section, 1),
                              static_cast<std::size_t>(terminal_width(STDOUT_FILENO, kWhole))));
  return ExitCode::ok;
}

ExitCode TraceInit::run(const Invocation& invocation) {
  options_.check();
  if (options_.write_pipeline) {
    OutputFile(*options_.write_pipeline).write(read_source_text({*options_.source, {}, true}));
    return ExitCode::ok;
  }
  if (options_.all_models) return print_models();
  const std::vector<Signature> signatures = load_signatures();
  if (options_.expect) check_expectation(*options_.expect, signatures);
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(options_.common, invocation.environment);
  Document document = start_document(name(), invocation.argv);
  std::string expect = options_.expect.value_or("");
  const std::vector<Milestone> milestones = load_milestones();
  if (options_.live) {
    install_interrupt_handlers();
    const LiveRun run = run_live(options_.command, signatures, milestones, interrupt_requested);
    trace_live(run, signatures, document);
  } else if (options_.log) {
    const LogReport report = read_log(*options_.log, signatures, milestones);
    std::vector<std::string> architectures;
    if (!report.model_class.empty()) architectures.push_back(report.model_class);
    trace_log(report, *options_.log == "-" ? "stdin" : *options_.log, signatures,
              chosen_pipeline(options_, architectures), document);
  } else {
    const TraceRequest request = resolve(options_);
    expect = request.expect;
    trace_launch(request.pipeline, request.launch, signatures, document);
    if (options_.what_if) add_counterfactuals(request, signatures, document);
  }
  if (options_.nvtx) play_back_steps(*document.trace);
  document.complete = true;
  ExitCode code = ExitCode::ok;
  if (!expect.empty() && document.trace->outcome != expect) {
    add_finding(document, {"unexpected-outcome",
                           Severity::error,
                           expect,
                           fmt::format("expected {}, but it ends in {}", expect, document.trace->outcome),
                           {},
                           ""});
    code = ExitCode::regression;
  }
  for (const std::string& failure : outputs.write(document)) {
    write_all(STDERR_FILENO, fmt::format("ringside: {}\n", failure), "stderr");
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace

std::unique_ptr<Subcommand> make_trace_init() {
  return std::make_unique<TraceInit>();
}

}  // namespace ringside
