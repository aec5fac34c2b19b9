#include "spec/candidates.hpp"

#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "strategy/cost.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

bool has_time(const Row& row) {
  return row.status == Status::pass && row.time.has_value();
}

CallTimes calculated(const Case& params, const MachineProfile& machine) {
  const DeviceKind device = machine.device() == DeviceKind::host ? DeviceKind::host : DeviceKind::model;
  const Strategy* const strategy = find_strategy(params.strategy, device);
  if (strategy == nullptr) throw InternalError("a row of a strategy that is not there: " + params.strategy);
  return CallTimes([strategy, params, machine](Bytes bytes) {
    Case sized = params;
    sized.bytes = bytes;
    return estimate_on(machine, *strategy, sized).time_ns;
  });
}

// The strategies of the rows, each with the times that `make` gives for it. `settings`: with those that set
// something for their library.
template <typename Make>
std::vector<Communication> collect(const Document& document, Collective collective, Layout layout,
                                   bool settings, Make make) {
  std::vector<Communication> found;
  for (const Row& row : document.rows) {
    const std::string name = entry_name(row.params);
    const bool known = std::ranges::any_of(found, [&](const Communication& other) {
      return other.strategy == name && other.mode == row.params.mode;
    });
    if (known || !has_time(row) || row.params.collective != collective) continue;
    if (row.setting && !settings) continue;
    Communication communication;
    communication.strategy = name;
    communication.mode = row.params.mode;
    communication.layout = layout;
    communication.origin = row.origin;
    (collective == Collective::allreduce ? communication.allreduce : communication.alltoall) =
        make(row.params);
    found.push_back(std::move(communication));
  }
  return found;
}

// Beside each all-to-all the allreduce that is fastest in the same mode at a verify pass, of those without a
// setting of their own: that would hold for the all-to-alls too.
void add_expert_parallel(const SpecScenario& scenario, const std::vector<Communication>& allreduces,
                         std::vector<Communication> alltoalls, std::vector<Communication>& candidates) {
  const Bytes message = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  for (Communication& alltoall : alltoalls) {
    const Communication* best = nullptr;
    for (const Communication& other : allreduces) {
      if (other.mode == alltoall.mode &&
          (best == nullptr || other.allreduce.at(message) < best->allreduce.at(message)))
        best = &other;
    }
    if (best == nullptr) continue;
    alltoall.layout = Layout::ep;
    alltoall.allreduce = best->allreduce;
    alltoall.strategy = best->strategy + " + " + alltoall.strategy;
    candidates.push_back(std::move(alltoall));
  }
}

// The allreduces in the layout that is asked about; beside them, unless that has experts without an
// all-to-all, the all-to-alls.
template <typename Make>
std::vector<Communication> all_candidates(const SpecScenario& scenario, const Document& document, Make make) {
  const ParallelLayout& parallel = scenario.parallel;
  const bool asked_alltoall = parallel.experts && parallel.alltoall;
  const Layout layout = asked_layout(parallel);
  std::vector<Communication> candidates;
  if (!asked_alltoall) candidates = collect(document, Collective::allreduce, layout, true, make);
  if (!parallel.experts || asked_alltoall) {
    add_expert_parallel(scenario, collect(document, Collective::allreduce, Layout::ep, false, make),
                        collect(document, Collective::alltoall, Layout::ep, true, make), candidates);
  }
  return candidates;
}

constexpr double kUs = 1000;

CollectiveTimes times_of(const Communication& communication, double factor, std::string source) {
  return {.at_us = [calls = communication.allreduce](
                       double bytes) { return calls.at({static_cast<std::uint64_t>(bytes)}) / kUs; },
          .origin = communication.origin,
          .source = std::move(source),
          .factor = factor};
}

CallTimes calls_of(const CollectiveTimes& times) {
  return CallTimes([times](Bytes bytes) { return times.at_us(static_cast<double>(bytes.count)) * kUs; });
}

Communication from_times(const std::string& name, const CollectiveTimes& times) {
  Communication communication;
  communication.strategy = name;
  communication.origin = times.origin;
  communication.allreduce = calls_of(times);
  return communication;
}

// The reported time of a verify pass's calls, beside what is otherwise known of a plain step's.
Communication as_reported(const SpecScenario& scenario, const CallTimes& otherwise) {
  const Bytes verify = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  const Bytes plain = message_bytes(scenario.model, scenario.speculation.batch);
  const Quantity& reported = *scenario.observed.verify_communication_ms;
  Communication communication;
  communication.strategy = "as reported";
  communication.origin = reported.origin;
  communication.allreduce = CallTimes(
      {{plain.count, otherwise.at(plain)}, {verify.count, reported.value * 1e6 / scenario.model.allreduces}});
  return communication;
}

}  // namespace

Communication modelled_baseline(const SpecScenario& scenario, const MachineProfile& machine) {
  const DeviceKind device = machine.device() == DeviceKind::host ? DeviceKind::host : DeviceKind::model;
  const Strategy* strategy = find_strategy("nccl-auto", device);
  if (strategy == nullptr) strategy = find_strategy("ring", DeviceKind::host);
  if (strategy == nullptr) throw InternalError("this binary has no ring");
  Case params;
  params.strategy = strategy->name();
  params.family = strategy->family();
  params.device = DeviceKind::model;
  params.mode = Mode::graph;
  params.dtype = scenario.model.dtype;
  params.ranks = scenario.parallel.tp;
  Communication baseline;
  baseline.strategy = params.strategy;
  baseline.allreduce = CallTimes([strategy, params, machine](Bytes bytes) {
    Case sized = params;
    sized.bytes = bytes;
    return estimate_on(machine, *strategy, sized).time_ns;
  });
  return baseline;
}

Baseline find_baseline(const SpecScenario& scenario, const MachineProfile* machine, std::string_view gpu,
                       const std::optional<CollectiveTimes>& file,
                       const std::vector<Communication>& measured) {
  Baseline baseline;
  if (scenario.parallel.tp == 1) return baseline;
  if (file) {
    baseline.times = *file;
    baseline.communication = from_times("as measured", *file);
    baseline.own = true;
    return baseline;
  }
  constexpr double kMeasured = 1.1;
  constexpr double kModelled = 1.5;
  const auto nccl = std::ranges::find_if(measured, [](const Communication& candidate) {
    return candidate.strategy == "nccl-auto" && candidate.alltoall.empty();
  });
  const CollectiveTimes published = published_allreduce(gpu, scenario.parallel.tp);
  if (nccl != measured.end()) {
    baseline.communication = *nccl;
    baseline.times = times_of(*nccl, kMeasured, "nccl-auto, measured here");
  } else if (published) {
    baseline.communication = from_times("published", published);
    baseline.times = published;
  } else if (machine != nullptr) {
    baseline.communication = modelled_baseline(scenario, *machine);
    baseline.times = times_of(baseline.communication, kModelled, "the model of " + machine->name);
  }
  if (scenario.observed.verify_communication_ms && !baseline.communication.allreduce.empty()) {
    baseline.communication = as_reported(scenario, baseline.communication.allreduce);
    baseline.times = times_of(baseline.communication, kModelled, "as reported");
    baseline.own = true;
  }
  return baseline;
}

std::vector<Communication> modelled_candidates(const SpecScenario& scenario, const MachineProfile& machine,
                                               const Document& document) {
  return all_candidates(scenario, document, [&](const Case& params) { return calculated(params, machine); });
}

std::vector<Communication> measured_candidates(const SpecScenario& scenario, const Document& document) {
  auto candidates = all_candidates(scenario, document, [&](const Case& params) {
    std::map<std::uint64_t, double> times;
    for (const Row& row : document.rows) {
      const bool same = entry_name(row.params) == entry_name(params) && row.params.mode == params.mode &&
                        row.params.collective == params.collective;
      if (same && has_time(row)) times.emplace(row.params.bytes.count, row.time->median_ns);
    }
    return CallTimes(std::move(times));
  });
  for (const Row& row : document.rows) {
    const bool parts = row.params.collective == Collective::alltoall;
    std::erase_if(candidates, [&](const Communication& candidate) {
      if (parts) return !candidate.alltoall.empty() && !candidate.alltoall.covers(row.params.bytes);
      return !candidate.allreduce.covers(row.params.bytes);
    });
  }
  return candidates;
}

}  // namespace ringside
