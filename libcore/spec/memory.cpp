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

SpecMemory describe(const SpecScenario& scenario, const ModelFacts& facts, double memory_gib, Layout layout) {
  const MemoryInput& input = scenario.memory;
  const ServingLayout serving = serving_layout(scenario.parallel, layout);
  const double total = memory_gib * kGib;
  const double context = gib(input.context_gib, kDefaultContext_gib) * kGib;
  SpecMemory memory;
  memory.layout = to_string(layout);
  memory.weights_bytes = rank_weight_bytes(facts, serving, true);
  const auto& observed = layout == Layout::tp ? scenario.observed.free_tp_gib : scenario.observed.free_ep_gib;
  if (observed) {
    memory.free_bytes = observed->value * kGib;
    memory.origin = observed->origin;
  } else {
    const double workspace = serving.alltoall ? gib(input.workspace_gib, 0) * kGib : 0;
    memory.free_bytes = total - context - memory.weights_bytes - workspace;
  }
  const double at_start = total - context;
  const double fraction = gib(input.fraction, kDefaultFraction);
  memory.kv_pool_bytes = memory.free_bytes - at_start * (1 - fraction);
  memory.least_fraction = std::clamp(1 - memory.free_bytes / at_start, 0.0, 1.0);
  const RankCache cache = rank_cache(facts, serving, scenario.context, true);
  const double sequences = scenario.parallel.dp_attention
                               ? std::ceil(scenario.speculation.batch / static_cast<double>(serving.tp))
                               : scenario.speculation.batch;
  if (cache.token_bytes > 0) {
    memory.kv_tokens =
        std::max(0.0, (memory.kv_pool_bytes - sequences * cache.sequence_bytes) / cache.token_bytes);
  }
  return memory;
}

}  // namespace

std::vector<SpecMemory> memory_by_layout(const SpecScenario& scenario, const ModelFacts& facts,
                                         double memory_gib) {
  if (memory_gib <= 0) return {};
  std::vector<SpecMemory> layouts = {describe(scenario, facts, memory_gib, Layout::tp)};
  const bool experts = std::ranges::any_of(facts.groups, &LayerGroup::experts);
  if (experts && scenario.parallel.ep > 1)
    layouts.push_back(describe(scenario, facts, memory_gib, Layout::ep));
  return layouts;
}

}  // namespace ringside
