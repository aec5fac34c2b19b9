#include "spec/model_shape.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kMatrices = 3;  // of a gated feed-forward part: gate, up, down
constexpr double kBitsPerByte = 8;

// The usual format of so many bits, scales included.
WeightFormat format_of(double bits) {
  if (bits < 5) return WeightFormat::int4;
  if (bits <= 8) return WeightFormat::fp8;
  if (bits < 8.2) return WeightFormat::fp8_block;
  if (bits < 9) return WeightFormat::mxfp8;
  return bits <= 16 ? WeightFormat::bf16 : WeightFormat::fp32;
}

Weights weights(double parameters, double bits) {
  return {.parameters = parameters, .bytes = parameters * bits / kBitsPerByte, .format = format_of(bits)};
}

LayerGroup attention_of(const ModelShape& shape) {
  LayerGroup group;
  group.heads = shape.heads;
  group.head_size = shape.head_size;
  group.attention_weights = weights(shape.attention_parameters, shape.other_bits);
  const bool latent = shape.kv_rank > 0 || (shape.kv_heads == 0 && shape.kv_bytes > 0);
  if (latent) {
    group.attention = AttentionKind::latent;
    group.kv_heads = 1;
    group.kv_rank = shape.kv_rank;
    group.rope_size = shape.rope_size;
    group.kv_numbers = shape.kv_rank + shape.rope_size;
  } else {
    group.kv_heads = shape.kv_heads;
    group.value_size = shape.head_size;
    group.kv_numbers = 2.0 * shape.kv_heads * shape.head_size;
  }
  if (group.kv_numbers <= 0) group.kv_numbers = shape.kv_bytes / 2 / shape.layers;
  return group;
}

void add_totals(ModelFacts& facts) {
  facts.parameters = facts.embedding.parameters + facts.head.parameters;
  facts.active_parameters = facts.parameters;
  facts.counted_bytes = facts.embedding.bytes + facts.head.bytes;
  for (const LayerGroup& group : facts.groups) {
    facts.parameters += group.layers * group.total().parameters;
    facts.active_parameters += group.layers * group.active().parameters;
    facts.counted_bytes += group.layers * group.total().bytes;
  }
  facts.weight_bytes = facts.counted_bytes;
}

// The largest group of layers, of those with experts where there are some and `experts` asks for them.
const LayerGroup& main_group(const ModelFacts& facts, bool experts) {
  const LayerGroup* best = nullptr;
  for (const LayerGroup& group : facts.groups) {
    if (experts && !group.experts) continue;
    if (best == nullptr || group.layers > best->layers) best = &group;
  }
  return best == nullptr ? facts.groups.front() : *best;
}

double bits_of(const Weights& weights) {
  return weights.parameters > 0 ? std::clamp(weights.bytes * kBitsPerByte / weights.parameters, 1.0, 64.0)
                                : 16;
}

bool keeps_tokens(const LayerGroup& group) {
  return group.attention != AttentionKind::linear && group.attention != AttentionKind::none;
}

}  // namespace

ModelFacts facts_of(const ModelShape& shape) {
  ModelFacts facts;
  facts.name = shape.name;
  facts.source = shape.source;
  facts.hidden = shape.hidden;
  facts.vocabulary = shape.vocabulary;
  facts.head_vocabulary = shape.vocabulary;
  facts.embedding = weights(shape.vocabulary * shape.hidden, std::max(shape.other_bits, 16.0));
  facts.head = facts.embedding;
  LayerGroup dense = attention_of(shape);
  dense.layers = shape.layers - shape.moe_layers;
  dense.dense_intermediate = shape.dense_intermediate;
  dense.dense_weights = weights(kMatrices * shape.hidden * shape.dense_intermediate, shape.other_bits);
  LayerGroup mixture = attention_of(shape);
  mixture.layers = shape.moe_layers;
  mixture.experts = true;
  mixture.routed = shape.experts;
  mixture.per_token = shape.top_k;
  mixture.shared = shape.shared_experts;
  mixture.expert_hidden = shape.hidden;
  mixture.expert_intermediate = shape.expert_intermediate;
  mixture.shared_intermediate = shape.shared_experts * shape.expert_intermediate;
  mixture.expert_weights = weights(kMatrices * shape.hidden * shape.expert_intermediate, shape.expert_bits);
  mixture.shared_weights = weights(kMatrices * shape.hidden * mixture.shared_intermediate, shape.other_bits);
  mixture.router_weights = weights(static_cast<double>(shape.hidden) * shape.experts, 16);
  if (dense.layers > 0) facts.groups.push_back(dense);
  if (mixture.layers > 0) facts.groups.push_back(mixture);
  const double kept = facts.kv_bytes(1);
  if (shape.kv_bytes > 0 && kept > 0) facts.kv_number_bytes = shape.kv_bytes / kept;
  add_totals(facts);
  return facts;
}

int allreduces_of(const ModelFacts& facts) {
  int count = 0;
  for (const LayerGroup& group : facts.groups) {
    const bool feeds = group.experts || group.dense_intermediate > 0;
    count += group.layers * ((group.attention == AttentionKind::none ? 0 : 1) + (feeds ? 1 : 0));
  }
  return std::max(count, 1);
}

ModelShape shape_of(const ModelFacts& facts) {
  ModelShape shape;
  shape.name = facts.name;
  shape.origin = Origin::reported;
  shape.source = facts.source;
  shape.hidden = facts.hidden;
  shape.vocabulary = facts.vocabulary;
  shape.layers = facts.layers();
  const LayerGroup& common = main_group(facts, false);
  const LayerGroup& mixture = main_group(facts, true);
  double attention = 0;
  for (const LayerGroup& group : facts.groups) {
    attention += group.layers * group.attention_weights.parameters;
    if (group.experts) shape.moe_layers += group.layers;
    shape.dense_intermediate = std::max(shape.dense_intermediate, group.dense_intermediate);
  }
  shape.attention_parameters = attention / std::max(shape.layers, 1);
  shape.heads = common.heads;
  shape.head_size = common.head_size;
  const auto keeper = std::ranges::find_if(facts.groups, keeps_tokens);
  if (keeper != facts.groups.end()) {
    shape.kv_rank = keeper->kv_rank;
    shape.rope_size = keeper->rope_size;
    shape.kv_heads = keeper->kv_rank > 0 ? 0 : keeper->kv_heads;
  }
  if (mixture.experts) {
    shape.experts = mixture.routed;
    shape.top_k = mixture.per_token;
    shape.expert_intermediate = mixture.expert_intermediate;
    shape.shared_experts = mixture.shared;
    shape.expert_bits = bits_of(mixture.expert_weights);
  }
  shape.other_bits = bits_of(common.attention_weights);
  shape.dtype = facts.activations == WeightFormat::fp16 ? DType::fp16 : DType::bf16;
  shape.kv_bytes = facts.kv_bytes(facts.kv_number_bytes);
  shape.allreduces = allreduces_of(facts);
  return shape;
}

bool fits_shape(const ModelFacts& facts) {
  if (facts.draft.layers > 0 || facts.other.bytes > 0) return false;
  int with_experts = 0;
  int without = 0;
  for (const LayerGroup& group : facts.groups) {
    ++(group.experts ? with_experts : without);
    const bool plain = group.attention == AttentionKind::full || group.attention == AttentionKind::latent;
    if (!plain || group.attention != facts.groups.front().attention || !group.gated) return false;
  }
  return with_experts <= 1 && without <= 1;
}

}  // namespace ringside
