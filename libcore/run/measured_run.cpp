#include "run/measured_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "base/signals.hpp"
#include "launch/process_group.hpp"
#include "machine/fingerprint.hpp"
#include "machine/free_cores.hpp"
#include "machine/gpu_fingerprint.hpp"
#include "machine/gpu_monitor.hpp"
#include "machine/host_watch.hpp"
#include "machine/resources.hpp"
#include "run/beside_published.hpp"

namespace ringside {
namespace {

// The hooks of a sweep; `gpus` may be null.
SweepHooks make_hooks(const ProbeRequest& request, RunMonitor& monitor, GpuMonitor* gpus,
                      const HostWatch& host) {
  SweepHooks hooks = {.progress = [&](const SweepProgress& progress) { monitor.progress(progress); },
                      .checkpoint = [&](const Document& document) { monitor.checkpoint(document); },
                      .log = [&](const std::string& line) { monitor.log(line); },
                      .gpu_states = gpus == nullptr ? std::function<std::vector<GpuState>()>{}
                                                    : [gpus] { return gpus->look(); },
                      .stop_requested = interrupt_requested};
  hooks.host = &host;
  hooks.begun = request.begun;
  if (request.sweep.device == DeviceKind::host) {
    hooks.choose_cores = [ranks = request.sweep.ranks] {
      return RankCores{free_cores(ranks), usable_cores()};
    };
  }
  return hooks;
}

}  // namespace

bool holds_measurement(const Document& document) {
  if (document.request && document.request->device == DeviceKind::model) return false;
  return std::ranges::any_of(
      document.rows, [](const Row& row) { return !row.launches.empty() || row.status == Status::pass; });
}

void keep_failures(const Document& measured, Document& result) {
  for (const Finding& finding : measured.findings) {
    if (exit_of(finding.kind) != ExitCode::ok) add_finding(result, finding);
  }
}

Fingerprint machine_of(const ProbeRequest& request) {
  Fingerprint machine = fingerprint_host();
  if (request.context.gpus) add_gpu_facts(machine, *request.context.gpus, Nvml::open().get());
  return machine;
}

ExitCode measure(const Plan& plan, const ProbeRequest& request, const Clock& clock, RunMonitor& monitor,
                 Document& document, const AfterSweep& after) {
  document.machine = fingerprint_host();
  std::unique_ptr<Nvml> nvml;
  std::optional<GpuMonitor> gpus;
  if (request.context.gpus) {
    nvml = Nvml::open();
    add_gpu_facts(document.machine, *request.context.gpus, nvml.get());
    if (nvml) gpus.emplace(*nvml, request.sweep.gpus);
  }
  if (plan.request.device == DeviceKind::host) check_memory(plan, available_memory());
  install_interrupt_handlers(monitor.interrupt_notice());
  ProcessGroupFactory factory;
  ExitCode code = ExitCode::ok;
  try {
    const HostWatch host(RootFiles(), ::getpid());
    const SweepHooks hooks = make_hooks(request, monitor, gpus ? &*gpus : nullptr, host);
    run_sweep(plan, factory, clock, hooks, document);
    if (after && !interrupt_requested()) after(factory, hooks);
    code = exit_code(document);
  } catch (const Error& error) {
    if (!holds_measurement(document)) throw;
    monitor.error(error.what());  // the rows that are finished are still worth having
    code = error.code();
  }
  set_beside_published(document);
  monitor.end_progress();
  return code;
}

}  // namespace ringside
