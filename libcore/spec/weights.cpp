#include "spec/weights.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kMatrices = 3;  // of a gated feed-forward layer: gate, up, down
constexpr double kBitsPerByte = 8;

double expert_parameters(const ModelShape& model) {
  return kMatrices * model.hidden * model.expert_intermediate;
}

// Of all layers, on each rank: what both layouts cut over the ranks, and (with an `embedding` that a forward
// pass looks rows up in, so hardly reads) the two vocabulary matrices.
double cut_parameters(const ModelShape& model, const ParallelLayout& parallel, double vocabulary_matrices) {
  const double dense_layers = model.layers - model.moe_layers;
  const double attention_ranks = parallel.dp_attention ? 1 : parallel.tp;
  return model.layers * model.attention_parameters / attention_ranks +
         (dense_layers * kMatrices * model.hidden * model.dense_intermediate +
          vocabulary_matrices * model.vocabulary * model.hidden) /
             parallel.tp;
}

double shared_parameters(const ModelShape& model, const ParallelLayout& parallel, Layout layout) {
  const double all = model.moe_layers * model.shared_experts * expert_parameters(model);
  return layout == Layout::tp ? all / parallel.tp : all;
}

// Experts that the rank with most of them must read: tokens fall on ranks at random, so the fullest has more
// than its share, about sqrt(2 mean ln n) more (the largest of n normal numbers).
double experts_on_busiest(const ModelShape& model, int ranks, double tokens) {
  const double mean = experts_hit(model, tokens) / ranks;
  const double fullest = mean + std::sqrt(2 * mean * std::log(std::max(ranks, 1)));
  return std::min({fullest, static_cast<double>(model.experts) / ranks, experts_hit(model, tokens)});
}

}  // namespace

std::string_view to_string(Layout layout) {
  return layout == Layout::tp ? "tp" : "tp+ep";
}

double experts_hit(const ModelShape& model, double tokens) {
  if (model.experts == 0) return 0;
  const double missed = std::pow(1 - static_cast<double>(model.top_k) / model.experts, tokens);
  return model.experts * (1 - missed);
}

double weight_bytes(const ModelShape& model, const ParallelLayout& parallel, Layout layout) {
  const int ranks = layout == Layout::tp ? parallel.tp : parallel.ep;
  const double routed =
      static_cast<double>(model.moe_layers) * model.experts * expert_parameters(model) / ranks;
  const double others = cut_parameters(model, parallel, 2) + shared_parameters(model, parallel, layout);
  return (routed * model.expert_bits + others * model.other_bits) / kBitsPerByte;
}

double bytes_read(const ModelShape& model, const ParallelLayout& parallel, Layout layout, double tokens) {
  const double experts = layout == Layout::tp ? experts_hit(model, tokens) / parallel.tp
                                              : experts_on_busiest(model, parallel.ep, tokens);
  const double routed = model.moe_layers * experts * expert_parameters(model);
  const double others = cut_parameters(model, parallel, 1) + shared_parameters(model, parallel, layout);
  return (routed * model.expert_bits + others * model.other_bits) / kBitsPerByte;
}

}  // namespace ringside
