#include "run/spec_place.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "machine/profile_catalogue.hpp"
#include "scenario/catalogue.hpp"
#include "spec/estimate/gpu_prior.hpp"

namespace ringside {
namespace {

// Machines of this binary by the beginning of their names, and the GPUs that they have. The first machine of
// a GPU stands for all of it.
constexpr std::array kMachines = {
    std::pair{"b200x8", "b200_sxm"},
    std::pair{"h100x8", "h100_sxm"},
    std::pair{"h200x8", "h200_sxm"},
    std::pair{"h200x2", "h200_sxm"},
    std::pair{"rtx-pro-6000-pcie-x8", "rtx_pro_6000_server"},
    std::pair{"rtx-pro-6000", "rtx_pro_6000_server"},
};

std::string gpu_of(const std::string& machine) {
  for (const auto& [begin, gpu] : kMachines) {
    if (machine.starts_with(begin)) return gpu;
  }
  return "";
}

std::optional<std::string> machine_of(const std::string& gpu) {
  const std::vector<ScenarioText> machines = list_scenarios("machines");
  for (const auto& [begin, name] : kMachines) {
    for (const ScenarioText& text : machines) {
      if (gpu == name && text.name.starts_with(begin)) return text.name;
    }
  }
  return std::nullopt;
}

std::string known_gpu(const std::string& name) {
  if (const GpuPrior* prior = gpu_priors().find(name); prior != nullptr) return prior->name;
  const std::vector<std::string> names = gpu_prior_names();
  throw UsageError(fmt::format("--gpu: unknown GPU '{}'{}; valid: {}", name, did_you_mean(name, names),
                               join(names, ", ")));
}

std::string default_machine(const SpecScenario& scenario) {
  return scenario.machine.empty() ? kDefaultMachine : scenario.machine;
}

}  // namespace

ServerPlace find_place(const SpecOptions& options, const SpecScenario& scenario, bool chosen) {
  ServerPlace place;
  if (options.gpu) place.gpu = known_gpu(*options.gpu);
  if (options.flags.machine) {
    place.machine = options.flags.machine;
  } else if (options.gpu) {
    const std::string own = default_machine(scenario);
    place.machine = chosen && gpu_of(own) == place.gpu ? own : machine_of(place.gpu);
  } else {
    place.machine = default_machine(scenario);
    place.assumed = !chosen;
  }
  if (place.gpu.empty()) place.gpu = gpu_of(*place.machine);
  return place;
}

}  // namespace ringside
