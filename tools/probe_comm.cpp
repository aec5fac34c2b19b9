#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/nvtx.hpp"
#include "base/output_file.hpp"
#include "base/terminal.hpp"
#include "console.hpp"
#include "gate/calibration.hpp"
#include "machine/resources.hpp"
#include "measure/fit_cost.hpp"
#include "measure/sweep.hpp"
#include "measure/tune.hpp"
#include "measured_run.hpp"
#include "outputs.hpp"
#include "plan_view.hpp"
#include "probe_options.hpp"
#include "probe_request.hpp"
#include "profile_command.hpp"
#include "run_document.hpp"
#include "side_by_side.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

void note_calibration(const StoredCalibration& stored, Console& console) {
  console.note("comparisons on this machine take their thresholds from now on from " + stored.file);
  if (stored.times_dropped > 0) {
    console.note(fmt::format("{} times that were calibrated with another number of launches are left out",
                             stored.times_dropped));
  }
  if (stored.times < kTimesToKnow) {
    console.note(fmt::format(
        "calibrated {} of the {} times that tell how much this machine changes between them: do it again "
        "at other times of the day",
        stored.times, kTimesToKnow));
  }
}

class ProbeComm final : public Subcommand {
 public:
  std::string_view name() const override { return "probe-comm"; }
  std::string_view synopsis() const override { return "[OPTIONS] [SCENARIO]"; }
  std::string_view summary() const override {
    return "Which allreduce strategy wins on this box, at which sizes, by how much";
  }
  std::string_view details() const override {
    return "Runs every allreduce strategy on real ranks of this box, verifies that each gives right results, "
           "times them in "
           "interleaved rounds, and names a winner for each message size, or a tie.";
  }
  std::string_view examples() const override {
    return "  ringside probe-comm\n"
           "  ringside probe-comm decode --ranks 4 --json result.json\n"
           "  ringside probe-comm --strategy custom,ring --sizes 4K:1M:x4 --dtype fp32 --budget 2m\n"
           "  ringside probe-comm --tune --sizes 2K:64M:x2\n"
           "  ringside probe-comm --device model --machine h200x2-nvlink\n";
  }
  void declare(OptionTable& options) override { options_.declare(options); }
  ExitCode run(const Invocation& invocation) override;

 private:
  ProbeOptions options_;
};

// The profile to its file, what it is worth to stdout.
void write_fit(const std::string& result, const std::string& target) {
  constexpr std::size_t kMost = 512u << 20;
  const Document document = document_from_json(read_input(result, kMost), result);
  std::vector<CostFit> fits;
  std::string profile;
  try {
    fits = fit_costs(document);
    profile = profile_text(document, fits, fmt::format("fitted to {}", result));
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", result, problem.what()));
  }
  std::string text;
  for (const CostFit& fit : fits) {
    const std::string error =
        fit.held_out_error ? fmt::format("{:.1f} % median error at sizes held out", 100 * *fit.held_out_error)
                           : std::string("too few sizes to hold some out");
    text += fmt::format("{:<22} {} {:<6} {:>3} sizes  {}\n", fit.cost.strategy,
                        to_string(fit.cost.collective), to_string(fit.cost.mode), fit.sizes, error);
  }
  OutputFile(target).write(profile);
  if (target != "-") write_stdout(text);
}

// Times that were made worse on purpose must not pass for real ones.
void note_slowdowns(const SweepRequest& request, Document& document) {
  for (const auto& [strategy, factor] : request.slowdowns) {
    add_finding(document,
                {.kind = "slowdown-injected",
                 .severity = Severity::warning,
                 .subject = strategy,
                 .message = fmt::format("made {} times the calls that were counted, on purpose", factor),
                 .evidence = {},
                 .remedy = ""});
  }
}

void show_command(const std::string& command, bool quiet) {
  if (quiet) return;
  const std::string text = has_nvtx()
                               ? "to capture it:\n" + command
                               : "--profile: this build found no nvtx3 headers: there is no range to capture";
  write_all(STDERR_FILENO, fmt::format("ringside: {}\n", text), "stderr");
}

void note_profile(Document& document) {
  add_finding(document, {.kind = "profiled",
                         .severity = Severity::note,
                         .subject = "sweep",
                         .message = "each case ran once for a profiler; there are no statistics",
                         .evidence = {},
                         .remedy = ""});
}

ExitCode ProbeComm::run(const Invocation& invocation) {
  options_.check();
  if (options_.fit) {
    write_fit(*options_.fit, *options_.fit_to);
    return ExitCode::ok;
  }
  const ProbeRequest request = resolve(options_);
  const Plan plan = make_plan(request.sweep, request.context);
  if (options_.profile && !invocation.environment.profiled)
    show_command(profile_command(invocation, plan), options_.common.quiet);
  if (options_.plan) {
    const int width = terminal_width(STDOUT_FILENO);
    write_stdout(plan_text(plan, available_memory(), static_cast<std::size_t>(width)));
    return ExitCode::ok;
  }
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(options_.common, invocation.environment);
  Console console(clock, {options_.common.quiet, options_.common.verbose}, invocation.environment);
  if (!request.device.reason.empty())
    console.note(fmt::format("device {}: {}", to_string(request.device.kind), request.device.reason));

  Document document = start_document(name(), invocation.argv);
  ExitCode code = ExitCode::ok;
  if (request.machine) {
    document.machine = described_machine(*request.machine);
    run_model(plan, *request.machine, document);
  } else if (options_.against) {
    code = measure_side_by_side(options_, request, invocation, console, document);
  } else {
    note_slowdowns(request.sweep, document);
    if (options_.profile) note_profile(document);
    code = measure(plan, request, clock, console, outputs, document);
  }
  if (options_.tune && document.complete && code == ExitCode::ok) {
    const std::string file = store_custom_table(tuned_table(document, request.sweep));
    console.note("custom uses from now on what was fastest here: " + file);
  }
  if (options_.calibrate && document.complete && code == ExitCode::ok) {
    try {
      note_calibration(store_calibration(calibrate(document)), console);
    } catch (const EnvironmentError& error) {  // what was measured is written all the same
      console.error(error.what());
      code = ExitCode::environment;
    }
  }
  for (const std::string& failure : outputs.write(document)) {
    console.error(failure);
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace

std::unique_ptr<Subcommand> make_probe_comm() {
  return std::make_unique<ProbeComm>();
}

}  // namespace ringside
