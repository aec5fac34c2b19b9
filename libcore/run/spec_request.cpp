#include "run/spec_request.hpp"

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "machine/profile_catalogue.hpp"
#include "run/spec_question.hpp"
#include "spec/communication.hpp"
#include "spec/estimate/gpu_prior.hpp"
#include "strategy/registry.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {
namespace {

constexpr double kReadOfDataSheet = 0.8;  // about what reading weights gets of a memory's bandwidth

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

SpecSweep make_sweep(const SpecOptions& options, const SpecQuestion& question, const ScenarioText* machine) {
  const SpecScenario& scenario = question.inquiry.scenario;
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
  if (choice.kind == DeviceKind::model && machine == nullptr)
    throw UsageError("--device model: no machine of these GPUs is described (--machine)");
  probe.flags.device = std::string(to_string(choice.kind));
  if (choice.kind == DeviceKind::model) {
    probe.flags.machine = options.flags.machine.value_or(*question.machine);
    if (!probe.flags.ranks) probe.flags.ranks = scenario.parallel.tp;
  }
  probe.flags.sizes = step_sizes(scenario, choice.kind);
  probe.flags.dtypes = {scenario.model.dtype};
  probe.flags.ops_per_graph = scenario.model.allreduces;
  if (!probe.flags.budget) probe.flags.budget = kReplayBudget;
  SpecSweep sweep{.probe = resolve(probe), .plan = {}};
  sweep.probe.sweep.firm_budget = options.flags.budget.has_value();
  sweep.probe.sweep.cases = step_cases(scenario, sweep.probe.sweep.first());
  sweep.plan = make_plan(sweep.probe.sweep, sweep.probe.context);
  if (!options.flags.device && choice.kind == DeviceKind::model)
    sweep.probe.device.reason =
        "no two GPUs can be used here; nothing is replayed, the machine is only described";
  return sweep;
}

// A fitted profile names its GPU; one that nothing is known of has the profile's bandwidth, if it has one.
void take_gpu(const MachineProfile& machine, ServerWorkload& workload) {
  if (!workload.gpu.empty()) return;
  if (const GpuPrior* const prior = gpu_priors().find(machine.gpu))
    workload.gpu = prior->name;
  else
    workload.memory_gbps = machine.read_gbps / kReadOfDataSheet;
}

}  // namespace

SpecRequest resolve(const SpecOptions& options) {
  SpecRequest request;
  request.question = resolve_question(options);
  SpecQuestion& question = request.question;
  const SpecScenario& scenario = question.inquiry.scenario;
  std::optional<ScenarioText> machine;
  if (question.machine) machine = find_scenario("machines", *question.machine);
  if (machine) request.machine = read_machine_profile(*machine);
  const bool too_small =
      request.machine && !options.flags.machine && request.machine->ranks < scenario.parallel.tp;
  const bool unnamed = !question.inquiry.facts && !options.flags.machine;  // nothing is modelled
  if (too_small || unnamed) request.machine.reset();
  if (request.machine) {
    take_gpu(*request.machine, question.inquiry.workload);
    question.inputs.push_back(input_text("machine", machine->origin, machine->text, question.withheld));
  }
  const std::string device = options.flags.device.value_or("auto");
  const bool replays = options.flags.device && device != "model" && device != "auto";
  if (!question.inquiry.facts && replays)
    throw UsageError("--device: a replay needs a model (--from-config, or a scenario)");
  if (!question.inquiry.facts || scenario.parallel.tp == 1 || (!request.machine && !replays)) return request;
  request.sweep.emplace(make_sweep(options, question, request.machine ? &*machine : nullptr));
  return request;
}

}  // namespace ringside
