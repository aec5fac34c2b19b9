#include "measured_run.hpp"

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/signals.hpp"
#include "machine/fingerprint.hpp"
#include "machine/gpu_fingerprint.hpp"
#include "machine/gpu_monitor.hpp"
#include "machine/resources.hpp"
#include "rank/process_group.hpp"

namespace ringside {
namespace {

// The hooks of a sweep: progress and log lines, files as rows finish, GPU clocks (`monitor` may be null), and
// Ctrl-C.
SweepHooks make_hooks(Console& console, Outputs& outputs, GpuMonitor* monitor) {
  return {.progress = [&](const SweepProgress& progress) { console.progress(progress); },
          .checkpoint =
              [&](const Document& document) {
                for (const std::string& failure : outputs.checkpoint(document))
                  console.error(failure + " (the run goes on)");
              },
          .log = [&](const std::string& line) { console.log(line); },
          .gpu_states = monitor == nullptr ? std::function<std::vector<GpuState>()>{}
                                           : [monitor] { return monitor->look(); },
          .stop_requested = interrupt_requested};
}

}  // namespace

ExitCode measure(const Plan& plan, const ProbeRequest& request, const Clock& clock, Console& console,
                 Outputs& outputs, Document& document, const AfterSweep& after) {
  document.machine = fingerprint_host();
  std::unique_ptr<Nvml> nvml;
  std::optional<GpuMonitor> monitor;
  if (request.context.gpus) {
    nvml = Nvml::open();
    add_gpu_facts(document.machine, *request.context.gpus, nvml.get());
    if (nvml) monitor.emplace(*nvml, request.sweep.gpus);
  }
  if (plan.request.device == DeviceKind::host) check_memory(plan, available_memory());
  install_interrupt_handlers(console.interrupt_notice());
  ProcessGroupFactory factory;
  ExitCode code = ExitCode::ok;
  try {
    const SweepHooks hooks = make_hooks(console, outputs, monitor ? &*monitor : nullptr);
    run_sweep(plan, factory, clock, hooks, document);
    if (after && document.complete) after(factory, hooks);
    code = exit_code(document);
  } catch (const Error& error) {
    const bool measured = std::any_of(document.rows.begin(), document.rows.end(), [](const Row& row) {
      return !row.launches.empty() || row.status == Status::pass;
    });
    if (!measured) throw;
    console.error(error.what());  // the rows that are finished are still worth having
    code = error.code();
  }
  console.clear_progress();
  return code;
}

}  // namespace ringside
