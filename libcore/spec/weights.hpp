#pragma once

#include <string_view>

#include "served/model_facts.hpp"
#include "spec/estimate/workload.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// Where a model's weights lie.
enum class Layout {
  tp,  // every matrix is cut over the ranks
  ep   // experts lie whole on one rank each, shared experts on every rank; the rest as in tp
};

std::string_view to_string(Layout layout);  // "tp", "tp+ep"

// A server that is laid out so. Expert parallelism that is only compared has the all-to-all that its rows
// were measured or modelled with.
ServingLayout serving_layout(const ParallelLayout& parallel, Layout layout);

// The layout that the question is about.
Layout asked_layout(const ParallelLayout& parallel);

// "TP8", "TP8, EP8 with all-to-all, DP attention".
std::string layout_text(const ServingLayout& layout);

// Bytes of weights on each rank, with the draft's layers that the same files hold where `draft` says so: cut
// over the ranks of tensor parallelism, attention over those of one group of DP attention, routed experts
// over the ranks of expert parallelism and the others. Where an index gives the size of the files, all parts
// are scaled to it.
double rank_weight_bytes(const ModelFacts& facts, const ServingLayout& layout, bool draft);

// What the cache holds on each rank: bytes that every further token of a sequence takes, and bytes that a
// sequence of `context` tokens takes beside (windows, states). Keys and values are dealt out by heads, at
// least one to a rank; a latent is whole on each.
struct RankCache {
  double token_bytes = 0;
  double sequence_bytes = 0;
};

RankCache rank_cache(const ModelFacts& facts, const ServingLayout& layout, double context, bool draft);

}  // namespace ringside
