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
std::vector<Communication> collect(const Document& document, Collective collective, bool settings,
                                   Make make) {
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

template <typename Make>
std::vector<Communication> with_expert_parallel(const SpecScenario& scenario, const Document& document,
                                                Make make) {
  std::vector<Communication> candidates = collect(document, Collective::allreduce, true, make);
  add_expert_parallel(scenario, collect(document, Collective::allreduce, false, make),
                      collect(document, Collective::alltoall, true, make), candidates);
  return candidates;
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

std::vector<Communication> modelled_candidates(const SpecScenario& scenario, const MachineProfile& machine,
                                               const Document& document) {
  return with_expert_parallel(scenario, document,
                              [&](const Case& params) { return calculated(params, machine); });
}

std::vector<Communication> measured_candidates(const SpecScenario& scenario, const Document& document) {
  auto candidates = with_expert_parallel(scenario, document, [&](const Case& params) {
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
      if (parts) return candidate.layout == Layout::ep && !candidate.alltoall.covers(row.params.bytes);
      return !candidate.allreduce.covers(row.params.bytes);
    });
  }
  return candidates;
}

}  // namespace ringside
