#include "run/measured_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

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
#include "sweep/fit_memory.hpp"

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

// The least that is free on one of the GPUs; nothing where NVML does not say.
std::optional<Bytes> free_gpu_memory(const Nvml& nvml, const std::vector<std::string>& gpus) {
  std::optional<Bytes> least;
  for (const std::string& uuid : gpus) {
    const auto device = nvml.find(uuid);
    const auto free = device ? nvml.free_memory(*device) : std::nullopt;
    if (!free) return std::nullopt;
    least = std::min(least.value_or(*free), *free);
  }
  return least;
}

// The plan, with its rank groups one after the other where there is no room for all of them.
Plan fitted(Plan plan, const Nvml* nvml) {
  if (plan.request.device == DeviceKind::host) fit_host_memory(plan, available_memory());
  if (plan.request.device == DeviceKind::cuda && nvml != nullptr) {
    if (const auto free = free_gpu_memory(*nvml, plan.request.gpus)) fit_gpu_memory(plan, *free);
  }
  return plan;
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
  const Plan fitting = fitted(plan, nvml.get());
  install_interrupt_handlers(monitor.interrupt_notice());
  ProcessGroupFactory factory;
  ExitCode code = ExitCode::ok;
  try {
    const HostWatch host(RootFiles(), ::getpid());
    const SweepHooks hooks = make_hooks(request, monitor, gpus ? &*gpus : nullptr, host);
    run_sweep(fitting, factory, clock, hooks, document);
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
