#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/signals.hpp"
#include "console.hpp"
#include "machine/fingerprint.hpp"
#include "machine/gpu_fingerprint.hpp"
#include "machine/gpu_monitor.hpp"
#include "machine/resources.hpp"
#include "measure/sweep.hpp"
#include "outputs.hpp"
#include "plan_view.hpp"
#include "probe_options.hpp"
#include "probe_request.hpp"
#include "rank/process_group.hpp"
#include "run_document.hpp"
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
           "  ringside probe-comm --device model --machine h200x2-nvlink\n";
  }
  void declare(OptionTable& options) override { options_.declare(options); }
  ExitCode run(const Invocation& invocation) override;

 private:
  void open_outputs(Outputs& outputs, const ToolEnvironment& environment) const;

  ProbeOptions options_;
};

void ProbeComm::open_outputs(Outputs& outputs, const ToolEnvironment& environment) const {
  const CommonOptions& common = options_.common;
  for (const auto& [writer, path] : common.outputs) outputs.add(*writer, path);
  if (outputs.takes_stdout()) return;
  outputs.add(*find_writer("table"), "-",
              {.color = use_color(common.color, STDOUT_FILENO, environment),
               .width = terminal_width(STDOUT_FILENO),
               .verbose = common.verbose});
}

// The hooks of a sweep: progress and log lines, files as rows finish, GPU clocks (`monitor` may be null), and
// Ctrl-C.
SweepHooks make_hooks(Console& console, Outputs& outputs, const GpuMonitor* monitor) {
  return {.progress = [&](const SweepProgress& progress) { console.progress(progress); },
          .checkpoint =
              [&](const Document& document) {
                for (const std::string& failure : outputs.checkpoint(document))
                  console.error(failure + " (the run goes on)");
              },
          .log = [&](const std::string& line) { console.log(line); },
          .gpu_states = monitor == nullptr ? std::function<std::vector<GpuState>()>{}
                                           : [monitor] { return monitor->look(); },
          .stop_requested =
              [&console, said = false]() mutable {
                if (interrupt_requested() && !std::exchange(said, true)) {
                  console.note("stopping after this turn, finished rows are kept; once more ends at once");
                }
                return interrupt_requested();
              }};
}

// Runs the sweep on ranks. Throws when there is nothing to show for it.
ExitCode measure(const Plan& plan, const Clock& clock, Console& console, Outputs& outputs,
                 const GpuMonitor* monitor, Document& document) {
  if (plan.request.device == DeviceKind::host) check_memory(plan, available_memory());
  install_interrupt_handlers();
  ProcessGroupFactory factory;
  ExitCode code = ExitCode::ok;
  try {
    run_sweep(plan, factory, clock, make_hooks(console, outputs, monitor), document);
    code = exit_code(document);
  } catch (const Error& error) {
    const bool measured = std::any_of(document.rows.begin(), document.rows.end(),
                                      [](const Row& row) { return !row.launches.empty(); });
    if (!measured) throw;
    console.error(error.what());  // the rows that are finished are still worth having
    code = error.code();
  }
  console.clear_progress();
  return code;
}

ExitCode ProbeComm::run(const Invocation& invocation) {
  options_.check();
  const ProbeRequest request = resolve(options_);
  const Plan plan = make_plan(request.sweep, request.context);
  if (options_.plan) {
    write_stdout(plan_text(plan, available_memory()));
    return ExitCode::ok;
  }
  const SteadyClock clock;
  Outputs outputs(clock);
  open_outputs(outputs, invocation.environment);
  Console console(clock, {options_.common.quiet, options_.common.verbose}, invocation.environment);
  if (!request.device.reason.empty())
    console.note(fmt::format("device {}: {}", to_string(request.device.kind), request.device.reason));

  Document document = start_document(name(), invocation.argv);
  ExitCode code = ExitCode::ok;
  if (request.machine) {
    document.machine = described_machine(*request.machine);
    run_model(plan, *request.machine, document);
  } else {
    document.machine = fingerprint_host();
    std::unique_ptr<Nvml> nvml;
    std::optional<GpuMonitor> monitor;
    if (request.context.gpus) {
      nvml = Nvml::open();
      add_gpu_facts(document.machine, *request.context.gpus, nvml.get());
      if (nvml) monitor.emplace(*nvml, request.sweep.gpus);
    }
    code = measure(plan, clock, console, outputs, monitor ? &*monitor : nullptr, document);
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
