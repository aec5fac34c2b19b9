#include "served/model/draft_layers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "served/model/layer_parts.hpp"

namespace ringside {
namespace {

// Lists of what one MTP module is made of ("*E", ["attention", "moe"]): one layer with both.
void use_lists(const ModelText& model) {
  const ConfigLevel& inner = model.inner;
  const std::string letters = inner.text({"mtp_hybrid_override_pattern"});
  if (!letters.empty() && letters != "*E")
    inner.notes().doubt(fmt::format("MTP layers of kind '{}' aren't known", letters));
  const auto kinds = inner.has("mtp_layers_block_type") ? inner.texts("mtp_layers_block_type") : std::nullopt;
  if (kinds && *kinds != std::vector<std::string>{"attention", "moe"})
    inner.notes().doubt("'mtp_layers_block_type' isn't attention and experts");
}

double draft_count(const ModelText& model) {
  const ConfigLevel& inner = model.inner;
  use_lists(model);
  const double modules = inner.count_or(
      {"num_nextn_predict_layers", "mtp_num_hidden_layers", "mtp_num_layers", "num_mtp_layers"}, 0, {0, 64});
  const double other = inner.count_or({"num_mtp_modules"}, 0, {0, 64}) *
                       inner.count_or({"mtp_transformer_layers"}, 1, {0, 64});
  const auto use = inner.flag("use_mtp");
  if (use && !*use) return 0;
  if (modules > 0 && other > 0 && modules != other)
    inner.notes().doubt(fmt::format("two keys count MTP layers: {:g} and {:g}", modules, other));
  return modules > 0 ? modules : other;
}

// Attention like the last layer that has any (nemotron-like models end in one without), and experts as in the
// last layer that has a feed-forward part.
LayerPlan draft_plan(const ModelText& model, const std::vector<LayerPlan>& plan) {
  LayerPlan draft{.dense = false};
  for (const LayerPlan& layer : plan) {
    if (layer.mixer == Mixer::attention) {
      draft.indexed = layer.indexed;
      draft.compression = layer.compression;
      if (!layer.windowed) draft.kv_heads = layer.kv_heads;
    }
    if (layer.experts || layer.dense) {
      draft.experts = layer.experts;
      draft.dense = layer.dense;
    }
  }
  if (draft.compression >= 0) {
    draft.compression = 0;
    draft.indexed = false;
  }
  if (model.family.draft_windowed) draft = {.windowed = true};
  return draft;
}

}  // namespace

void add_draft_layers(const ModelText& model, const std::vector<LayerPlan>& plan, ModelFacts& facts) {
  const double count = draft_count(model);
  if (count == 0) return;
  if (model.family.draft == DraftFiles::none) {
    model.notes().derive(
        fmt::format("the model was trained with {:g} MTP layers, which its published files don't "
                    "have ({})",
                    count, model.family.name));
    return;
  }
  facts.draft = make_layer(model, draft_plan(model, plan), {.layer = model.layers, .draft = 0});
  facts.draft.layers = whole(count);
  const double projection = 2 * model.hidden * model.hidden;
  const MatrixName name{"eh_proj|fc|input_proj", model.layers, 0};
  facts.draft_projection = model.matrix(name, count * projection);
  facts.draft_projection += model.plain(count * 3 * model.hidden);
  if (model.family.draft == DraftFiles::layers_with_vocabulary) {
    facts.draft_projection += model.plain(count * 2 * facts.vocabulary * model.hidden);
    model.notes().derive("files repeat the embedding and the head for each MTP layer; a server shares them");
  }
  model.notes().derive(
      fmt::format("{:g} MTP layer{}: like the model's own, with a matrix of {:g} x {:g} before it", count,
                  count == 1 ? "" : "s", 2 * model.hidden, model.hidden));
}

void add_separate_draft(const ModelText& model, ModelFacts& facts) {
  const ConfigLevel& inner = model.inner;
  const bool third = facts.architecture.find('3') != std::string::npos || inner.has("draft_vocab_size") ||
                     model.outer.text({"speculators_model_type"}) == "eagle3";
  LayerGroup layer;
  layer.layers = model.layers;
  add_attention(model, {}, {}, third ? 2 * model.hidden : model.hidden, layer);
  add_feed_forward(model, {}, {}, layer);
  layer.norm_weights = model.plain((third ? 3 : 2) * model.hidden);
  facts.groups = {layer};
  const double target = inner.count_or({"target_hidden_size"}, model.hidden, kCount);
  const double states = third ? 3 : 2;
  facts.draft_projection = model.plain(states * target * model.hidden);
  model.notes().derive(
      fmt::format("a draft: {} states of {:g} numbers enter through one matrix; the embedding is the "
                  "target's and isn't counted",
                  states, target));
  facts.embedding = {};
  facts.head = {};
  if (!third) return;
  facts.head_vocabulary = inner.count_or({"draft_vocab_size"}, facts.vocabulary, kVocabularyCount);
  facts.head = model.plain(facts.head_vocabulary * model.hidden);
}

}  // namespace ringside
