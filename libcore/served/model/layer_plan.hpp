#pragma once

#include <optional>
#include <vector>

#include "served/model/model_text.hpp"

namespace ringside {

// What mixes the tokens of a layer.
enum class Mixer { attention, gated_delta, kimi_delta, mamba2, lightning, none, unknown };

// What a layer of the text model is made of.
struct LayerPlan {
  Mixer mixer = Mixer::attention;
  bool windowed = false;    // attention over a window or a chunk
  bool indexed = false;     // sparse attention with an indexer of its own
  double compression = -1;  // tokens in an entry (DeepSeek-V4); 0: a window alone; -1: not compressed
  bool experts = false;
  bool dense = true;
  std::optional<double> kv_heads = {};            // of this layer alone
  std::optional<double> dense_intermediate = {};  // of this layer alone
};

// The plan of each layer. What isn't understood is noted, and such a layer has Mixer::unknown.
std::vector<LayerPlan> plan_layers(const ModelText& model);

// Sets which layers have experts, dense parts, or both, by the keys of any family.
void plan_feed_forward(const ModelText& model, std::vector<LayerPlan>& plan);

// Sets layers that are either a mixer or a feed-forward part (Nemotron-H): true where the configuration has
// such a list.
bool plan_alternating(const ModelText& model, std::vector<LayerPlan>& plan);

// Layers with sizes of their own (block_configs of pruned models).
void plan_blocks(const ModelText& model, std::vector<LayerPlan>& plan);

// Names of experts per layer in any family; nothing: the model has none.
std::optional<double> routed_experts(const ModelText& model);

}  // namespace ringside
