#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/nvtx.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/terminal.hpp"
#include "console.hpp"
#include "console_monitor.hpp"
#include "machine/resources.hpp"
#include "outputs.hpp"
#include "plan_view.hpp"
#include "probe_options.hpp"
#include "profile_command.hpp"
#include "run/fit_machine.hpp"
#include "run/probe_comm.hpp"
#include "run/run_document.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

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
  ProbeCommandLine options_;
};

// The profile to its file, what it is worth to stdout.
void write_fit(const std::string& result, const std::string& target) {
  OutputFile file(target);
  refuse_inputs("-o " + target, file, std::span(&result, 1));
  const FittedMachine machine = fit_machine(result);
  std::string text;
  for (const CostFit& fit : machine.fits) {
    const std::string error =
        fit.held_out_error ? fmt::format("{:.1f} % median error at sizes held out", 100 * *fit.held_out_error)
                           : std::string("too few sizes to hold some out");
    text += fmt::format("{:<22} {} {:<6} {:>3} sizes  {}\n", printable(fit.cost.strategy),
                        to_string(fit.cost.collective), to_string(fit.cost.mode), fit.sizes, error);
  }
  file.write(machine.profile);
  if (!file.is_stdout()) write_stdout(text);
}

void show_command(const std::string& command, bool quiet) {
  if (quiet) return;
  const std::string text = has_nvtx()
                               ? "to capture it:\n" + command
                               : "--profile: this build found no nvtx3 headers: there is no range to capture";
  write_all(STDERR_FILENO, fmt::format("ringside: {}\n", text), "stderr");
}

ExitCode ProbeComm::run(const Invocation& invocation) {
  options_.check();
  if (options_.fit) {
    write_fit(*options_.fit, *options_.fit_to);
    return ExitCode::ok;
  }
  const SteadyClock clock;
  const TimePoint begun = clock.now();
  ProbeRequest request = resolve(options_.probe);
  request.begun = begun;
  const Plan plan = make_plan(request.sweep, request.context);
  if (options_.probe.profile && !invocation.environment.profiled)
    show_command(profile_command(invocation, plan), options_.common.quiet);
  if (options_.plan) {
    const int width = terminal_width(STDOUT_FILENO);
    write_stdout(plan_text(plan, available_memory(), static_cast<std::size_t>(width)));
    return ExitCode::ok;
  }
  Outputs outputs(clock);
  outputs.open(options_.common, invocation.environment, options_.probe.inputs());
  Console console(clock, {options_.common.quiet, options_.common.verbose}, invocation.environment);
  ConsoleMonitor monitor(console, &outputs);
  note_device(request.device, monitor);
  Document document = start_document(name(), invocation.argv);
  const ExitCode code = run_and_keep(
      [&] { return run_probe(options_.probe, request, plan, clock, monitor, document); }, document, console);
  return write_outputs(outputs, document, console, code);
}

}  // namespace

std::unique_ptr<Subcommand> make_probe_comm() {
  return std::make_unique<ProbeComm>();
}

}  // namespace ringside
