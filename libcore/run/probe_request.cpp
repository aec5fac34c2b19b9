#include "run/probe_request.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "machine/described_gpus.hpp"
#include "machine/profile_catalogue.hpp"
#include "machine/resources.hpp"
#include "run/run_document.hpp"
#include "scenario/catalogue.hpp"
#include "sweep/request_limits.hpp"
#include "sweep/size_list.hpp"
#include "sweep/tune.hpp"

namespace ringside {
namespace {

using std::chrono::seconds;

constexpr seconds kProfilerTurn{5};  // ranks idle for half a second where a profiler's range opens and closes

// 32 bits are enough to tell runs apart and short enough to type.
std::uint64_t random_seed() {
  std::uint32_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed) throw SystemError("getrandom", errno);
  return seed;
}

// As many ranks as GPUs are named, or can be used.
int default_gpu_ranks(const GpuSurvey& survey, const std::optional<std::string>& list) {
  constexpr std::size_t kMost = 8;  // what one host usually has, and most kernels take
  if (list) return static_cast<int>(choose_gpus(survey, *list, 0).size());
  return static_cast<int>(std::min(survey.gpus.size(), kMost));
}

// Gives each rank its GPU.
void use_gpus(ProbeRequest& request, const std::string& list) {
  SweepRequest& sweep = request.sweep;
  const GpuSurvey& all = *request.device.gpus;
  const std::vector<std::size_t> chosen = choose_gpus(all, list, sweep.ranks);
  if (static_cast<int>(chosen.size()) != sweep.ranks) {
    throw UsageError(fmt::format("--gpus names {} GPUs, but there are {} ranks", chosen.size(), sweep.ranks));
  }
  const GpuSurvey selected = select_gpus(all, chosen);
  for (const GpuFacts& gpu : selected.gpus) {
    sweep.gpus.push_back(gpu.uuid);
    sweep.cache = std::max(sweep.cache, gpu.l2_cache);
  }
  sweep.nccl_library = selected.nccl.path;
  request.context.gpus = std::make_shared<const GpuSurvey>(selected);
}

}  // namespace

ProbeRequest resolve(const ProbeOptions& options) {
  ProbeRequest request;
  RequestOverrides scenario;
  if (options.scenario) {
    const ScenarioText text = find_scenario("sweeps", *options.scenario);
    request.inputs.push_back(input_text("scenario", text.origin, text.text, request.withheld));
    scenario = read_sweep_scenario(text).overrides;
  }
  const RequestOverrides& flags = options.flags;

  request.device =
      choose_device(flags.device.value_or(scenario.device.value_or("auto")), flags.nccl_library.value_or(""));
  const auto machine = flags.machine ? flags.machine : scenario.machine;
  if (request.device.kind == DeviceKind::model) {
    const ScenarioText text = find_scenario("machines", machine.value_or(kDefaultMachine));
    request.inputs.push_back(input_text("machine", text.origin, text.text, request.withheld));
    request.machine = read_machine_profile(text);
  } else if (flags.machine) {
    throw UsageError("--machine describes a machine to the model device; add --device model");
  }
  request.context = {request.device.kind, usable_cores(), nullptr};
  if (request.machine && request.machine->device() == DeviceKind::cuda) {
    request.context.gpus =
        std::make_shared<const GpuSurvey>(described_gpus(*request.machine, request.machine->ranks));
  }
  const bool cuda = request.device.kind == DeviceKind::cuda;
  if (flags.nccl_library && !cuda)
    throw UsageError("--nccl-lib is the library of the cuda device's NCCL strategies; add --device cuda");
  if (flags.gpus && !cuda) throw UsageError("--gpus chooses GPUs for the cuda device; add --device cuda");

  SweepRequest& sweep = request.sweep;
  sweep.device = request.device.kind;
  if (request.machine && request.machine->device() == DeviceKind::host) sweep.described = DeviceKind::host;
  sweep.ranks = request.machine ? request.machine->ranks
                : cuda          ? default_gpu_ranks(*request.device.gpus, flags.gpus)
                                : std::clamp(request.context.cores, 2, 8);
  sweep.first().sizes = parse_size_list("2K:16M:x2");
  if (cuda) sweep.first().modes = {Mode::graph, Mode::eager};
  if (request.context.gpus != nullptr && request.machine) sweep.first().modes = {Mode::graph};
  sweep.budget = cuda ? kCudaBudget : kHostBudget;
  sweep.input = default_input(sweep.device);
  sweep.turn_timeout = seconds(30);
  sweep.seed = random_seed();
  apply(scenario, sweep);
  apply(flags, sweep);
  if (cuda) use_gpus(request, flags.gpus.value_or(""));
  // Who asks for few rounds means it.
  if (flags.max_rounds && !flags.min_rounds) sweep.min_rounds = std::min(sweep.min_rounds, sweep.max_rounds);
  for (const auto& [strategy, factor] : options.slowdowns) sweep.slowdowns.push_back({strategy, factor});
  if (options.profile) {
    if (request.machine) throw UsageError("the model device runs nothing to profile");
    sweep.profile = true;
    sweep.turn_timeout = std::max<std::chrono::nanoseconds>(sweep.turn_timeout, kProfilerTurn);
    sweep.launches = sweep.min_rounds = sweep.max_rounds = 1;
  }
  if (options.calibrate) {
    sweep.launches *= 2;
    if (sweep.launches > kLaunchLimits.max)
      throw UsageError(
          fmt::format("--calibrate measures twice the launches: at most {:g}", kLaunchLimits.max / 2));
  }
  // The usual budget is for the usual launches of one build.
  if (!flags.budget && !scenario.budget) {
    const int usual = SweepRequest{}.launches;
    sweep.budget = sweep.budget * std::max(usual, sweep.launches) / usual * (options.against ? 2 : 1);
  }
  sweep.firm_budget = !options.profile;  // under a profiler each case runs once, however long that takes
  if (options.tune) request_tuning(sweep, flags.strategies || scenario.strategies);
  check_request(sweep);
  if (request.machine && sweep.ranks > request.machine->ranks) {
    throw UsageError(fmt::format("{} ranks, but the machine {} has {}", sweep.ranks, request.machine->name,
                                 request.machine->ranks));
  }
  return request;
}

ProbeRequest resolve_again(const SweepRequest& recorded, const RequestOverrides& flags) {
  if (recorded.device == DeviceKind::model) throw UsageError("a described machine measures nothing");
  if (recorded.cases.empty()) throw UsageError("the request has no cases");
  if (recorded.profile) throw UsageError("the request was for a profiler, without statistics");
  ProbeOptions options;
  options.flags = flags;
  options.flags.device = std::string(to_string(recorded.device));
  options.flags.ranks = recorded.ranks;
  ProbeRequest request = resolve(options);
  request.sweep.cases = recorded.cases;
  check_request(request.sweep);
  return request;
}

void record_request(const Plan& plan, const ProbeRequest& request, Document& document) {
  document.request = plan.request;
  document.inputs = request.inputs;
  say_withheld(document, request.withheld, "the inputs");
}

}  // namespace ringside
