#pragma once

#include "served/model/layer_plan.hpp"
#include "served/model/model_text.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// Where a layer stands: its number, and of an MTP layer its own.
struct LayerPlace {
  int layer = 0;
  int draft = -1;

  MatrixName name(std::string_view names) const { return {names, layer, draft}; }
};

// Sizes of multi-head attention; they may differ between layers with and without a window.
struct HeadSizes {
  double heads = 0;
  double kv_heads = 0;
  double key = 0;    // numbers of a head's query and key
  double value = 0;  // of its value
};

HeadSizes head_sizes(const ModelText& model, const LayerPlan& plan);

// Fill in attention, keys and values, or state of a layer. `input` is the size of what queries, keys and
// values are made of (hidden, but for a draft that reads two vectors).
void add_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place, double input,
                   LayerGroup& group);
void add_latent_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                          LayerGroup& group);
void add_compressed_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                              LayerGroup& group);
void add_linear_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                          LayerGroup& group);

// Fills in the feed-forward part: dense, experts, or both.
void add_feed_forward(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                      LayerGroup& group);

// A size as a number of a group; what no size can be is the most that one holds.
int whole(double size);

// A whole layer.
LayerGroup make_layer(const ModelText& model, const LayerPlan& plan, const LayerPlace& place);

}  // namespace ringside
