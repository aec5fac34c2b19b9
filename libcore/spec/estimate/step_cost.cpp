#include "spec/estimate/step_cost.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kActivationBytes = 2;  // on the wire
constexpr double kLogitBytes = 2;

bool has_attention(const LayerGroup& group) {
  return group.attention != AttentionKind::none && group.attention != AttentionKind::unknown;
}

bool is_complex(const LayerGroup& group) {
  return group.experts || group.kv_rank > 0 || group.attention == AttentionKind::linear;
}

double value_size(const LayerGroup& group) {
  return group.value_size > 0 ? group.value_size : group.head_size;
}

GpuPrior find_gpu(const ServerWorkload& workload) {
  const GpuPrior* const known = gpu_priors().find(workload.gpu);
  return known != nullptr ? *known : assumed_gpu_prior(workload.memory_gbps);
}

// A link that nothing is known of: 15 us, and 50 GB/s of ring.
CollectiveTimes assumed_allreduce(int ranks) {
  CollectiveTimes times;
  const double share = 2.0 * (ranks - 1) / ranks;
  times.at_us = [share](double bytes) { return 15 + share * bytes / 50e3; };
  times.source = "assumed: 15 us and 50 GB/s";
  times.factor = 2.5;
  return times;
}

CollectiveTimes find_allreduce(const ServerWorkload& workload) {
  const int ranks = workload.layout.tp;
  if (workload.allreduce || ranks <= 1) return workload.allreduce;
  CollectiveTimes published = published_allreduce(workload.gpu, ranks);
  return published ? published : assumed_allreduce(ranks);
}

}  // namespace

StepPricing::StepPricing(const ServerWorkload& workload)
    : workload_(workload), gpu_(find_gpu(workload)), allreduce_(find_allreduce(workload)) {}

bool StepPricing::complex() const {
  int count = 0;
  for (const LayerGroup& group : workload_.model.groups)
    count += is_complex(group) ? group.layers : -group.layers;
  return count > 0;
}

double StepPricing::allreduce_us(double bytes) const {
  return allreduce_ ? allreduce_.at_us(bytes) : 0;
}

void StepPricing::add_gemm(ForwardCost& cost, WeightFormat format, double count, double m, double n,
                           double k) const {
  cost.gemm += count * gemm_cost(gpu_, gemm_format(gpu_, format), m, n, k);
}

// Projections on the GPUs that share the attention of a sequence, then attention itself.
void StepPricing::add_attention(ForwardCost& cost, const LayerGroup& group, int hidden,
                                const Pass& pass) const {
  if (!has_attention(group)) return;
  const double tp = static_cast<double>(pass.tp) / pass.attention_dp;
  const double sequences = std::ceil(pass.sequences / pass.attention_dp);
  const double m = sequences * pass.rows;
  const double heads = std::max(1.0, group.heads / tp);
  const double kv_heads = std::max(1.0, group.kv_heads / tp);
  const double value = value_size(group);
  const WeightFormat format = group.attention_weights.format;
  const double parameters = group.attention_weights.parameters;
  if (group.attention == AttentionKind::linear) {
    constexpr double kInward = 0.75;  // of the parameters: queries, keys, values and gates
    add_gemm(cost, format, group.layers, m, kInward * parameters / hidden / tp, hidden);
    add_gemm(cost, format, group.layers, m, hidden, (1 - kInward) * parameters / hidden / tp);
  } else if (group.kv_rank > 0) {
    const double position = group.rope_size;
    const double content = group.head_size - position;
    if (group.q_rank > 0) {
      add_gemm(cost, format, group.layers, m, group.q_rank + group.kv_rank + position, hidden);
      add_gemm(cost, format, group.layers, m, heads * group.head_size, group.q_rank);
    } else {
      add_gemm(cost, format, group.layers, m, heads * group.head_size + group.kv_rank + position, hidden);
    }
    // The latent's two matrices, folded into queries and output: batched by heads, in bf16.
    add_gemm(cost, WeightFormat::bf16, group.layers, m, heads * group.kv_rank, content);
    add_gemm(cost, WeightFormat::bf16, group.layers, m, heads * group.kv_rank, value);
    add_gemm(cost, format, group.layers, m, hidden, heads * value);
  } else {
    const double known =
        hidden * (group.heads * (group.head_size + value) + group.kv_heads * (group.head_size + value));
    const double more = std::max(0.0, parameters - known) / hidden / tp;  // output gates
    add_gemm(cost, format, group.layers, m,
             heads * group.head_size + kv_heads * (group.head_size + value) + more, hidden);
    add_gemm(cost, format, group.layers, m, hidden, heads * value);
  }
  const AttentionShape shape{sequences, pass.rows, pass.context, heads, kv_heads, workload_.kv_bytes};
  cost.attention += static_cast<double>(group.layers) * attention_cost(gpu_, group, shape);
}

void StepPricing::add_feed_forward(ForwardCost& cost, const LayerGroup& group, int hidden,
                                   const Pass& pass) const {
  const double tokens = pass.sequences * pass.rows;
  const bool alltoall = group.experts && workload_.layout.alltoall && workload_.layout.ep > 1;
  const auto add_mlp = [&](WeightFormat format, double intermediate, double m, double tp) {
    add_gemm(cost, format, group.layers, m, (group.gated ? 2 : 1) * intermediate / tp, hidden);
    add_gemm(cost, format, group.layers, m, hidden, intermediate / tp);
  };
  if (group.dense_intermediate > 0)
    add_mlp(group.dense_weights.format, group.dense_intermediate, tokens, pass.tp);
  if (!group.experts) return;
  if (group.shared_intermediate > 0) {
    if (alltoall) {
      add_mlp(group.shared_weights.format, group.shared_intermediate, std::ceil(tokens / pass.tp), 1);
    } else {
      add_mlp(group.shared_weights.format, group.shared_intermediate, tokens, pass.tp);
    }
  }
  add_gemm(cost, group.router_weights.format, group.layers, tokens, group.routed, hidden);
  const int groups = std::clamp(workload_.layout.ep, 1, pass.tp);
  ExpertCall call = expert_call(gpu_, group, hidden, tokens, pass.tp / groups, groups);
  call.calls *= expert_server_factor(expert_format(gpu_, group.expert_weights.format),
                                     table_key(workload_.server.kind));
  cost.experts.push_back(call);
}

// Two allreduces a layer under tensor parallelism. DP attention has none behind attention (or one among the
// GPUs of a group), but gathers the tokens before the feed-forward part and scatters its sums; an all-to-all
// takes the place of both.
void StepPricing::add_collectives(ForwardCost& cost, const LayerGroup& group, int hidden,
                                  const Pass& pass) const {
  if (pass.tp <= 1) return;
  const double row = hidden * kActivationBytes;
  const double tokens = pass.sequences * pass.rows;
  double us = 0;
  if (has_attention(group) && pass.attention_dp < pass.tp)
    us += allreduce_us(std::ceil(pass.sequences / pass.attention_dp) * pass.rows * row);
  if (group.experts && workload_.layout.alltoall && workload_.layout.ep > 1) {
    const double bytes = std::ceil(tokens / pass.tp) * group.per_token * row;
    // Dispatch and combine: each moves half of what an allreduce of as many bytes does.
    us += workload_.alltoall ? 2 * workload_.alltoall.at_us(bytes) : 1.5 * allreduce_us(bytes);
  } else if (group.experts || group.dense_intermediate > 0) {
    const double parts = pass.attention_dp > 1 ? 1.5 : 1;  // two collectives of half the bytes each
    us += parts * allreduce_us(tokens * row);
  }
  cost.collectives_us += group.layers * us;
}

void StepPricing::add_group(ForwardCost& cost, const LayerGroup& group, int hidden, const Pass& pass) const {
  (is_complex(group) ? cost.complex_layers : cost.simple_layers) += group.layers;
  add_attention(cost, group, hidden, pass);
  add_feed_forward(cost, group, hidden, pass);
  add_collectives(cost, group, hidden, pass);
}

// The embedding's allreduce, the head and the gathering of its logits.
void StepPricing::add_ends(ForwardCost& cost, const Weights& head, double vocabulary, int hidden,
                           const Pass& pass) const {
  const double tokens = pass.sequences * pass.rows;
  add_gemm(cost, head.format, 1, tokens, vocabulary / pass.tp, hidden);
  if (pass.tp <= 1) return;
  cost.collectives_us += allreduce_us(tokens * hidden * kActivationBytes);
  cost.collectives_us +=
      std::max(0.75 * allreduce_us(0), 0.5 * allreduce_us(tokens * vocabulary * kLogitBytes));
}

ForwardCost StepPricing::price_target(const StepPoint& point) const {
  const ModelFacts& model = workload_.model;
  const Pass pass{static_cast<double>(point.batch), static_cast<double>(point.verify_rows), point.context,
                  workload_.layout.tp, workload_.layout.attention_dp};
  ForwardCost cost;
  for (const LayerGroup& group : model.groups) add_group(cost, group, model.hidden, pass);
  add_ends(cost, model.head, model.head_vocabulary > 0 ? model.head_vocabulary : model.vocabulary,
           model.hidden, pass);
  return cost;
}

// EAGLE trains one dense layer of a Llama's make for whatever target.
LayerGroup StepPricing::assumed_draft_layer() const {
  const ModelFacts& model = workload_.model;
  constexpr int kHeadSize = 128;
  constexpr int kKvHeads = 8;
  LayerGroup layer;
  for (const LayerGroup& group : model.groups) {
    layer.dense_intermediate = std::max(layer.dense_intermediate, group.dense_intermediate);
  }
  if (layer.dense_intermediate == 0) layer.dense_intermediate = 3 * model.hidden;
  layer.layers = 1;
  layer.head_size = layer.value_size = kHeadSize;
  layer.heads = std::max(1, model.hidden / kHeadSize);
  layer.kv_heads = std::min(kKvHeads, layer.heads);
  return layer;
}

ForwardCost StepPricing::price_draft(const StepPoint& point) const {
  const ModelFacts& model = workload_.model;
  const DraftModel& draft = workload_.draft;
  const int tp = draft.tp > 0 ? draft.tp : workload_.layout.tp;
  const Pass pass{static_cast<double>(point.batch), static_cast<double>(std::max(point.draft_width, 1)),
                  point.context, tp, std::min(workload_.layout.attention_dp, tp)};
  const double m = pass.sequences * pass.rows;
  ForwardCost cost;
  if (draft.facts) {
    const ModelFacts& facts = *draft.facts;
    for (const LayerGroup& group : facts.groups) add_group(cost, group, facts.hidden, pass);
    const double words = facts.head_vocabulary > 0 ? facts.head_vocabulary : facts.vocabulary;
    add_ends(cost, facts.head.parameters > 0 ? facts.head : model.head, words > 0 ? words : model.vocabulary,
             facts.hidden, pass);
    if (facts.is_draft)
      add_gemm(cost, WeightFormat::bf16, 1, m, facts.hidden, 2.0 * model.hidden);  // features into its width
    return cost;
  }
  if (draft.kind == DraftKind::none || draft.kind == DraftKind::ngram) return cost;
  if (draft.kind == DraftKind::mtp && model.draft.layers > 0) {
    LayerGroup layer = model.draft;
    layer.layers = 1;  // one of them drafts one token
    add_group(cost, layer, model.hidden, pass);
    add_gemm(cost, layer.attention_weights.format, 1, m, model.hidden, 2.0 * model.hidden);
    add_ends(cost, model.head, model.vocabulary, model.hidden, pass);
    return cost;
  }
  constexpr double kEagle3Words = 32000;  // of the heads that EAGLE-3 drafts are published with
  const bool cut = draft.kind == DraftKind::eagle3 && model.vocabulary > kEagle3Words;
  add_group(cost, assumed_draft_layer(), model.hidden, pass);
  add_gemm(cost, WeightFormat::bf16, 1, m, model.hidden, 2.0 * model.hidden);
  add_ends(cost, Weights{},
           draft.vocabulary > 0 ? draft.vocabulary
           : cut                ? kEagle3Words
                                : model.vocabulary,
           model.hidden, pass);
  return cost;
}

StepCost StepPricing::price(const StepPoint& point) const {
  StepCost cost;
  cost.target = price_target(point);
  cost.batch = point.batch;
  cost.rows = point.rows();
  cost.speculative = !point.plain();
  if (!cost.speculative) return cost;
  cost.draft_steps = point.draft_steps;
  if (point.draft_steps > 0) cost.draft = price_draft(point);
  return cost;
}

// Of the kernels' own sigmas the largest of those that a model uses: sums of layers average little of what
// differs between servers.
CostSigmas StepPricing::sigmas() const {
  CostSigmas sigmas{0.05, 0.05, 0.1, 0.3};
  for (const LayerGroup& group : workload_.model.groups) {
    if (has_attention(group)) {
      sigmas.gemm = std::max(sigmas.gemm, gemm_format(gpu_, group.attention_weights.format).sigma);
      sigmas.attention = std::max(sigmas.attention, attention_sigma(gpu_, group, workload_.kv_bytes));
    }
    if (group.dense_intermediate > 0)
      sigmas.gemm = std::max(sigmas.gemm, gemm_format(gpu_, group.dense_weights.format).sigma);
    if (group.experts)
      sigmas.experts = std::max(sigmas.experts, expert_format(gpu_, group.expert_weights.format).sigma);
  }
  sigmas.collectives = std::log(std::max(1.02, allreduce_.factor));
  if (workload_.layout.alltoall && !workload_.alltoall)
    sigmas.collectives = std::max(sigmas.collectives, 0.5);
  return sigmas;
}

double StepPricing::floor_us(const StepPoint& point) const {
  if (!gpu_known()) return 0;
  const ModelFacts& model = workload_.model;
  const int tp = workload_.layout.tp;
  double bytes = model.head.bytes;
  int layers = 0;
  for (const LayerGroup& group : model.groups) {
    layers += group.layers;
    bytes += group.layers * (group.active().bytes);
  }
  const bool reads_all = std::ranges::none_of(model.groups, [](const LayerGroup& group) {
    return group.read_tokens > 0 || group.attention == AttentionKind::compressed;
  });
  if (reads_all) bytes += point.batch * point.context * model.kv_bytes(workload_.kv_bytes);
  const double reading = bytes / tp / gpu_.memory_gbps * 1e-3;
  if (tp <= 1 || !allreduce_ || allreduce_.origin == Origin::modelled || workload_.layout.attention_dp > 1)
    return reading;
  constexpr double kLarge = 1 << 23;
  constexpr double kNeverFaster = 0.5;  // than half of the time a byte that a large allreduce takes
  const double link = kNeverFaster * allreduce_.at_us(kLarge) / kLarge;
  return std::max(reading, 2 * layers * point.rows() * model.hidden * kActivationBytes * link);
}

}  // namespace ringside
