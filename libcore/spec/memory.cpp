#include "spec/memory.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kGib = 1073741824.0;
constexpr double kDefaultFraction = 0.85;    // about what SGLang chooses for 8 GPUs of this size
constexpr double kDefaultContext_gib = 2.5;  // CUDA context, NCCL, the server's own

double gib(const std::optional<Quantity>& quantity, double otherwise) {
  return quantity ? quantity->value : otherwise;
}

// Of one token on one GPU: the KV heads are dealt out over the ranks, the last of them several times. Under
// data-parallel attention a GPU has tokens of its own, whole.
double kv_bytes_on_a_rank(const ModelShape& model, const ParallelLayout& parallel) {
  if (parallel.dp_attention || model.kv_heads == 0) return model.kv_bytes;
  const double heads = std::ceil(static_cast<double>(model.kv_heads) / parallel.tp);
  return model.kv_bytes * heads / model.kv_heads;
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
  if (scenario.model.kv_bytes > 0) {
    memory.kv_tokens =
        std::max(0.0, memory.kv_pool_bytes / kv_bytes_on_a_rank(scenario.model, scenario.parallel));
  }
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
