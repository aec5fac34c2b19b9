#pragma once

#include <string_view>

#include "spec/scenario.hpp"

namespace ringside {

// Where a model's weights lie.
enum class Layout {
  tp,  // every matrix is cut over the ranks
  ep   // experts lie whole on one rank each, shared experts on every rank; the rest as in tp
};

std::string_view to_string(Layout layout);  // "tp", "tp+ep"

// Bytes of weights on each rank.
double weight_bytes(const ModelShape& model, const ParallelLayout& parallel, Layout layout);

// Bytes of weights that the busiest rank reads in a forward pass over so many tokens: of the routed experts
// those that one of the tokens was sent to, expected for a router without preferences.
double bytes_read(const ModelShape& model, const ParallelLayout& parallel, Layout layout, double tokens);

// Experts of a layer that at least one of the tokens was sent to, expected.
double experts_hit(const ModelShape& model, double tokens);

}  // namespace ringside
