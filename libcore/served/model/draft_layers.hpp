#pragma once

#include "served/model/layer_plan.hpp"
#include "served/model/model_text.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// MTP layers that the configuration names, into `facts.draft` and `facts.draft_projection`. Their layer is
// like the model's last attention layer, with that one's feed-forward part, where no key says more.
void add_draft_layers(const ModelText& model, const std::vector<LayerPlan>& plan, ModelFacts& facts);

// A model that is itself a draft (EAGLE, EAGLE-3): fills in its layers and what they read beside.
void add_separate_draft(const ModelText& model, ModelFacts& facts);

}  // namespace ringside
