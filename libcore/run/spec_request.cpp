#include "run/spec_request.hpp"

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "machine/profile_catalogue.hpp"
#include "run/spec_question.hpp"
#include "spec/communication.hpp"
#include "strategy/registry.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {
namespace {

// The messages of a plain, a verify and a draft step; measured ones have some between them, for other numbers
// of draft tokens.
std::vector<Bytes> step_sizes(const SpecScenario& scenario, DeviceKind device) {
  const SpeculationShape& shape = scenario.speculation;
  std::set<std::int64_t> tokens = {shape.batch, std::int64_t{shape.batch} * shape.top_k,
                                   shape.verify_tokens()};
  if (device != DeviceKind::model) {
    tokens.insert(std::int64_t{shape.batch} * 2);
    tokens.insert(std::int64_t{shape.batch} * 8);
  }
  std::vector<Bytes> sizes;
  for (const std::int64_t count : tokens) sizes.push_back(message_bytes(scenario.model, count));
  return sizes;
}

// Which of the names that were asked for are strategies of this collective; nothing where none was asked for.
std::vector<std::string> names_for(Collective collective, const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& name : asked) {
    const bool alltoall = std::ranges::any_of(all_strategies(), [&](const Strategy* strategy) {
      return strategy->collective() == Collective::alltoall &&
             (strategy->name() == name || strategy->family() == name);
    });
    if (name == "all" || alltoall == (collective == Collective::alltoall)) names.push_back(name);
  }
  return names;
}

// The allreduces of all steps, and with experts the all-to-alls of a verify pass and of a plain step.
std::vector<CaseSet> step_cases(const SpecScenario& scenario, const CaseSet& asked) {
  std::vector<CaseSet> cases = {asked};
  cases.front().strategies = names_for(Collective::allreduce, asked.strategies);
  CaseSet experts = asked;
  experts.strategies = names_for(Collective::alltoall, asked.strategies);
  if (scenario.model.moe_layers == 0 || experts.strategies.empty()) return cases;
  experts.collective = Collective::alltoall;
  experts.load = scenario.traffic.load;
  std::set<Bytes> sizes;
  for (const int tokens : {scenario.speculation.batch, scenario.speculation.verify_tokens()}) {
    sizes.insert(dispatch_bytes(scenario, tokens));
    sizes.insert(combine_bytes(scenario, tokens));
  }
  experts.sizes.assign(sizes.begin(), sizes.end());
  cases.push_back(std::move(experts));
  return cases;
}

}  // namespace

SpecRequest resolve(const SpecOptions& options) {
  SpecRequest request;
  SpecQuestion question = resolve_scenario(options);
  request.scenario = std::move(question.scenario);
  request.notes = std::move(question.notes);
  std::vector<InputText> inputs = std::move(question.inputs);
  Withheld withheld = std::move(question.withheld);
  const std::string scenario_machine = machine_name(request.scenario);
  const ScenarioText machine = find_scenario("machines", options.flags.machine.value_or(scenario_machine));
  request.machine = read_machine_profile(machine);
  inputs.push_back(input_text("machine", machine.origin, machine.text, withheld));

  ProbeOptions probe;
  probe.flags = options.flags;
  probe.flags.machine.reset();
  DeviceChoice choice =
      choose_device(options.flags.device.value_or("auto"), options.flags.nccl_library.value_or(""));
  if (!options.flags.device && choice.kind == DeviceKind::host) choice.kind = DeviceKind::model;
  if (choice.kind == DeviceKind::model && (options.compute_us || options.skew_us))
    throw UsageError(
        "--compute and --skew are of a replay, and a described machine replays nothing (--device host, "
        "cuda)");
  probe.flags.device = std::string(to_string(choice.kind));
  if (choice.kind == DeviceKind::model) {
    probe.flags.machine = options.flags.machine.value_or(scenario_machine);
    if (!probe.flags.ranks) probe.flags.ranks = request.scenario.parallel.tp;
  }
  probe.flags.sizes = step_sizes(request.scenario, choice.kind);
  probe.flags.dtypes = {request.scenario.model.dtype};
  probe.flags.ops_per_graph = request.scenario.model.allreduces;
  if (!probe.flags.budget) probe.flags.budget = kReplayBudget;
  request.probe = resolve(probe);
  request.probe.sweep.firm_budget = options.flags.budget.has_value();
  request.probe.sweep.cases = step_cases(request.scenario, request.probe.sweep.first());
  request.probe.inputs = std::move(inputs);
  request.probe.withheld.add(withheld);
  request.plan = make_plan(request.probe.sweep, request.probe.context);
  if (!options.flags.device && choice.kind == DeviceKind::model)
    request.probe.device.reason =
        "no two GPUs can be used here; nothing is replayed, the machine is only described";
  return request;
}

}  // namespace ringside
