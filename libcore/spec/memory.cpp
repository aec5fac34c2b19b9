#include "spec/memory.hpp"

#include <algorithm>

namespace ringside {
namespace {

constexpr double kGib = 1073741824.0;
constexpr double kDefaultFraction = 0.85;    // about what SGLang chooses for 8 GPUs of this size
constexpr double kDefaultContext_gib = 2.5;  // CUDA context, NCCL, the server's own

double gib(const std::optional<Quantity>& quantity, double otherwise) {
  return quantity ? quantity->value : otherwise;
}

SpecMemory describe(const SpecScenario& scenario, const MachineProfile& machine, Layout layout) {
  const MemoryInput& input = scenario.memory;
  const double total = machine.memory_gib * kGib;
  const double context = gib(input.context_gib, kDefaultContext_gib) * kGib;
  SpecMemory memory;
  memory.layout = to_string(layout);
  memory.weights_bytes = weight_bytes(scenario.model, scenario.parallel, layout);
  const auto& observed = layout == Layout::tp ? scenario.observed.free_tp_gib : scenario.observed.free_ep_gib;
  if (observed) {
    memory.free_bytes = observed->value * kGib;
    memory.origin = observed->origin;
  } else {
    const double workspace = layout == Layout::ep ? gib(input.workspace_gib, 0) * kGib : 0;
    memory.free_bytes = total - context - memory.weights_bytes - workspace;
  }
  const double at_start = total - context;
  const double fraction = gib(input.fraction, kDefaultFraction);
  memory.kv_pool_bytes = memory.free_bytes - at_start * (1 - fraction);
  memory.least_fraction = std::clamp(1 - memory.free_bytes / at_start, 0.0, 1.0);
  if (scenario.model.kv_bytes > 0)
    memory.kv_tokens = std::max(0.0, memory.kv_pool_bytes / scenario.model.kv_bytes);
  return memory;
}

}  // namespace

std::vector<SpecMemory> memory_by_layout(const SpecScenario& scenario, const MachineProfile& machine) {
  if (machine.memory_gib <= 0) return {};
  std::vector<SpecMemory> layouts = {describe(scenario, machine, Layout::tp)};
  if (scenario.model.moe_layers > 0) layouts.push_back(describe(scenario, machine, Layout::ep));
  return layouts;
}

}  // namespace ringside
