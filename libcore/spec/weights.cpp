#include "spec/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

// One layer of the group, on each rank.
double layer_bytes(const LayerGroup& group, const ServingLayout& layout) {
  const double ranks = layout.tp;
  const double attention_ranks = std::max(layout.attention_tp(), 1);
  const bool whole = layout.ep > 1;  // experts lie whole on their ranks
  const double shared = group.shared_weights.bytes / (whole && layout.alltoall ? 1 : ranks);
  const double routed = group.routed * group.expert_weights.bytes / ranks;
  return group.attention_weights.bytes / attention_ranks + group.dense_weights.bytes / ranks + shared +
         routed + group.router_weights.bytes + group.norm_weights.bytes;
}

// What a layer keeps of a token on each rank.
double kept_numbers(const LayerGroup& group, int attention_ranks) {
  if (group.kv_heads <= 1) return group.kv_numbers;
  const double heads = std::ceil(static_cast<double>(group.kv_heads) / attention_ranks);
  return group.kv_numbers * heads / group.kv_heads;
}

void add_cache(const LayerGroup& group, const ServingLayout& layout, double context, double number_bytes,
               RankCache& cache) {
  const int ranks = std::max(layout.attention_tp(), 1);
  const double token = kept_numbers(group, ranks) * number_bytes + group.index_bytes;
  cache.sequence_bytes += group.layers * group.state_bytes / ranks;
  if (group.window > 0) {
    cache.sequence_bytes += group.layers * token * std::min<double>(context, group.window);
  } else {
    cache.token_bytes += group.layers * token;
  }
}

}  // namespace

std::string_view to_string(Layout layout) {
  return layout == Layout::tp ? "tp" : "tp+ep";
}

Layout asked_layout(const ParallelLayout& parallel) {
  return parallel.experts ? Layout::ep : Layout::tp;
}

ServingLayout serving_layout(const ParallelLayout& parallel, Layout layout) {
  ServingLayout serving;
  serving.tp = parallel.tp;
  serving.attention_dp = parallel.dp_attention ? parallel.tp : 1;
  if (layout == Layout::tp) return serving;
  serving.ep = parallel.ep;
  serving.alltoall = parallel.alltoall || !parallel.experts;
  return serving;
}

std::string layout_text(const ServingLayout& layout) {
  std::string text = fmt::format("TP{}", layout.tp);
  if (layout.ep > 1) text += fmt::format(", EP{}{}", layout.ep, layout.alltoall ? " with all-to-all" : "");
  if (layout.attention_dp > 1) text += ", DP attention";
  if (layout.pp > 1) text += fmt::format(", PP{}", layout.pp);
  return text;
}

double rank_weight_bytes(const ModelFacts& facts, const ServingLayout& layout, bool draft) {
  double bytes =
      (facts.embedding.bytes + (facts.tied ? 0 : facts.head.bytes) + facts.other.bytes) / layout.tp;
  for (const LayerGroup& group : facts.groups) bytes += group.layers * layer_bytes(group, layout);
  if (draft) {
    bytes += facts.draft.layers * layer_bytes(facts.draft, layout) + facts.draft_projection.bytes / layout.tp;
  }
  const bool scaled = facts.weight_bytes_measured && facts.counted_bytes > 0;
  return scaled ? bytes * facts.weight_bytes / facts.counted_bytes : bytes;
}

RankCache rank_cache(const ModelFacts& facts, const ServingLayout& layout, double context, bool draft) {
  RankCache cache;
  for (const LayerGroup& group : facts.groups)
    add_cache(group, layout, context, facts.kv_number_bytes, cache);
  if (draft && facts.draft.layers > 0) add_cache(facts.draft, layout, context, facts.kv_number_bytes, cache);
  return cache;
}

}  // namespace ringside
