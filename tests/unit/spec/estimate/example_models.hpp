#pragma once

#include <string>

#include "base/errors.hpp"
#include "served/model_facts.hpp"

// Facts of public models, written down from their config.json, for tests of the step's estimate alone.
namespace ringside::example {

inline double bytes_of(WeightFormat format) {
  switch (format) {
    case WeightFormat::fp32:
      return 4;
    case WeightFormat::fp8:
    case WeightFormat::fp8_block:
    case WeightFormat::int8:
      return 1;
    case WeightFormat::int4:
    case WeightFormat::mxfp4:
      return 0.53;
    case WeightFormat::nvfp4:
      return 0.5625;
    default:
      return 2;
  }
}

inline Weights weights(double parameters, WeightFormat format) {
  return {parameters, parameters * bytes_of(format), format};
}

struct Shape {
  int hidden = 0;
  int vocabulary = 0;
  int heads = 0;
  int kv_heads = 0;
  int head_size = 128;
  WeightFormat attention = WeightFormat::bf16;
  WeightFormat feed_forward = WeightFormat::bf16;
};

inline LayerGroup dense_layers(const Shape& shape, int layers, int intermediate) {
  LayerGroup group;
  group.layers = layers;
  group.heads = shape.heads;
  group.kv_heads = shape.kv_heads;
  group.head_size = group.value_size = shape.head_size;
  group.kv_numbers = 2.0 * shape.kv_heads * shape.head_size;
  const double h = shape.hidden;
  group.attention_weights =
      weights(h * shape.head_size * (2.0 * shape.heads + 2.0 * shape.kv_heads), shape.attention);
  group.dense_intermediate = intermediate;
  if (intermediate > 0) group.dense_weights = weights(3.0 * h * intermediate, shape.feed_forward);
  return group;
}

inline void make_latent(LayerGroup& group, const Shape& shape) {
  group.attention = AttentionKind::latent;
  group.kv_heads = 1;
  group.head_size = 192;
  group.value_size = 128;
  group.kv_rank = 512;
  group.rope_size = 64;
  group.q_rank = 1536;
  group.kv_numbers = 576;
  const double h = shape.hidden;
  group.attention_weights = weights(
      h * (1536 + 576) + 1536.0 * shape.heads * 192 + 512.0 * shape.heads * 256 + h * shape.heads * 128,
      shape.attention);
}

inline void add_experts(LayerGroup& group, const Shape& shape, int routed, int per_token, int intermediate,
                        int shared_intermediate) {
  group.experts = true;
  group.routed = routed;
  group.per_token = per_token;
  group.expert_hidden = shape.hidden;
  group.expert_intermediate = intermediate;
  group.expert_weights = weights(3.0 * shape.hidden * intermediate, shape.feed_forward);
  group.shared = shared_intermediate > 0 ? 1 : 0;
  group.shared_intermediate = shared_intermediate;
  if (shared_intermediate > 0)
    group.shared_weights = weights(3.0 * shape.hidden * shared_intermediate, shape.attention);
  group.router_weights = weights(static_cast<double>(shape.hidden) * routed, WeightFormat::bf16);
}

inline ModelFacts model_of(const std::string& name, const Shape& shape, std::vector<LayerGroup> groups) {
  ModelFacts facts;
  facts.name = facts.architecture = name;
  facts.hidden = shape.hidden;
  facts.vocabulary = facts.head_vocabulary = shape.vocabulary;
  facts.embedding = facts.head =
      weights(static_cast<double>(shape.hidden) * shape.vocabulary, WeightFormat::bf16);
  facts.groups = std::move(groups);
  return facts;
}

inline ModelFacts llama(const std::string& name, int hidden, int layers, int intermediate, int heads,
                        WeightFormat format, int kv_heads = 8, int vocabulary = 128256) {
  const Shape shape{hidden, vocabulary, heads, kv_heads, 128, format, format};
  return model_of(name, shape, {dense_layers(shape, layers, intermediate)});
}

inline ModelFacts llama_8b(WeightFormat format = WeightFormat::bf16) {
  return llama("Llama-3.1-8B", 4096, 32, 14336, 32, format);
}
inline ModelFacts llama_70b(WeightFormat format = WeightFormat::bf16) {
  return llama("Llama-3.3-70B", 8192, 80, 28672, 64, format);
}
inline ModelFacts qwen3_32b(WeightFormat format) {
  return llama("Qwen3-32B", 5120, 64, 25600, 64, format, 8, 151936);
}

inline ModelFacts mixture(const std::string& name, const Shape& shape, int layers, int routed, int per_token,
                          int intermediate) {
  LayerGroup group = dense_layers(shape, layers, 0);
  add_experts(group, shape, routed, per_token, intermediate, 0);
  return model_of(name, shape, {group});
}

// DeepSeek-V3 and Kimi-K2: latent attention, a few dense layers, one shared expert, an MTP layer.
inline ModelFacts deepseek(const std::string& name, int heads, int dense, int routed, int vocabulary,
                           WeightFormat attention, WeightFormat experts) {
  const Shape shape{7168, vocabulary, heads, 1, 192, attention, experts};
  LayerGroup first = dense_layers(shape, dense, 18432);
  make_latent(first, shape);
  LayerGroup rest = dense_layers(shape, 61 - dense, 0);
  make_latent(rest, shape);
  add_experts(rest, shape, routed, 8, 2048, 2048);
  ModelFacts facts = model_of(name, shape, {first, rest});
  facts.draft = rest;
  facts.draft.layers = 1;
  return facts;
}

inline ModelFacts deepseek_v3(WeightFormat experts = WeightFormat::fp8_block) {
  return deepseek("DeepSeek-V3", 128, 3, 256, 129280, experts, experts);
}
inline ModelFacts kimi_k2(WeightFormat experts = WeightFormat::int4) {
  return deepseek("Kimi-K2.5", 64, 1, 384, 163840, WeightFormat::bf16, experts);
}

}  // namespace ringside::example
