#include "served/model/layer_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ringside {
namespace {

Mixer linear_mixer(const ModelText& model) {
  if (model.inner.has("linear_num_value_heads")) return Mixer::gated_delta;
  if (model.inner.has("linear_attn_config")) return Mixer::kimi_delta;
  if (model.inner.has("attn_type_list")) return Mixer::lightning;
  return Mixer::unknown;
}

Mixer mamba_mixer(const ModelText& model) {
  const bool second = model.inner.has("mamba_num_heads") || model.inner.has("mamba_n_heads");
  return second ? Mixer::mamba2 : Mixer::unknown;
}

// One name of a list of layer kinds; nothing for one that isn't known.
std::optional<LayerPlan> plan_of_kind(const ModelText& model, const std::string& name) {
  LayerPlan plan;
  if (name == "full_attention" || name == "attention" || name == "global_attention" ||
      name == "hybrid_attention" || name == "deepseek_sparse_attention")
    return name == "hybrid_attention" ? std::nullopt : std::optional(plan);
  if (name == "sliding_attention" || name == "chunked_attention" || name == "local_attention" ||
      name == "sliding_window_attention") {
    plan.windowed = true;
    return plan;
  }
  if (name == "linear_attention")
    plan.mixer = linear_mixer(model);
  else if (name == "mamba" || name == "mamba2")
    plan.mixer = mamba_mixer(model);
  else
    plan.mixer = Mixer::unknown;
  if (plan.mixer == Mixer::unknown) return std::nullopt;
  return plan;
}

bool fits(const ModelText& model, const char* key, std::size_t size) {
  if (size == static_cast<std::size_t>(model.layers)) return true;
  model.notes().doubt(fmt::format("'{}' has {} entries for {} layers", key, size, model.layers));
  return false;
}

// A list of kinds wins; an interval or a pattern beside it must say the same.
void check_interval(const ModelText& model, const std::vector<LayerPlan>& plan) {
  model.inner.set_aside({"max_window_layers", "use_sliding_window", "sliding_window_pattern"});
  const auto interval = model.inner.count({"full_attention_interval"}, kCount);
  if (!interval) return;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool full = plan[i].mixer == Mixer::attention && !plan[i].windowed;
    if (full == ((i + 1) % static_cast<std::size_t>(*interval) == 0)) continue;
    model.notes().doubt("'layer_types' and 'full_attention_interval' differ; the list is taken");
    return;
  }
}

bool plan_by_types(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto types = model.inner.has("layer_types") ? model.inner.texts("layer_types") : std::nullopt;
  if (!types) return false;
  std::map<std::string, int> unknown;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string kind = i < types->size() ? (*types)[i] : "";
    const auto known = plan_of_kind(model, kind);
    if (!known) ++unknown[kind];
    plan[i] = known.value_or(LayerPlan{.mixer = Mixer::unknown});
  }
  fits(model, "layer_types", types->size());
  check_interval(model, plan);
  for (const auto& [kind, count] : unknown) {
    model.notes().doubt(
        fmt::format("'layer_types' has {} of {} layers of kind '{}': how they mix tokens isn't "
                    "understood, and nothing of that is counted",
                    count, model.layers, kind));
  }
  return true;
}

// Kimi Linear: numbers of layers from 1.
bool plan_by_numbers(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto level = model.inner.level("linear_attn_config");
  if (!level || !level->has("kda_layers")) return false;
  const auto linear = level->numbers("kda_layers").value_or(std::vector<double>{});
  for (const double number : linear)
    if (number >= 1 && number <= model.layers)
      plan[static_cast<std::size_t>(number) - 1].mixer = Mixer::kimi_delta;
  const auto full = level->has("full_attn_layers") ? level->numbers("full_attn_layers") : std::nullopt;
  if (full && full->size() + linear.size() != plan.size()) {
    model.notes().doubt(fmt::format("'linear_attn_config' names {} linear and {} full of {} layers",
                                    linear.size(), full->size(), plan.size()));
  }
  return true;
}

// A list with a number for each layer.
template <class Set>
bool plan_by_list(const ModelText& model, const char* key, std::vector<LayerPlan>& plan, const Set& set) {
  const auto numbers = model.inner.has(key) ? model.inner.numbers(key) : std::nullopt;
  if (!numbers) return false;
  fits(model, key, numbers->size());
  for (std::size_t i = 0; i < std::min(plan.size(), numbers->size()); ++i) set(plan[i], (*numbers)[i]);
  return true;
}

bool plan_by_interval(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto interval = model.inner.count({"full_attention_interval"}, kCount);
  if (!interval) return false;
  const Mixer mixer = linear_mixer(model);
  if (mixer == Mixer::unknown)
    model.notes().doubt(
        "'full_attention_interval' leaves layers between without any key that says what they are");
  for (std::size_t i = 0; i < plan.size(); ++i)
    if ((i + 1) % static_cast<std::size_t>(*interval) != 0) plan[i].mixer = mixer;
  model.notes().derive(
      fmt::format("full attention in each {:g}th layer (full_attention_interval)", *interval));
  return true;
}

void plan_chunks(const ModelText& model, std::vector<LayerPlan>& plan) {
  if (plan_by_list(model, "no_rope_layers", plan,
                   [](LayerPlan& layer, double rope) { layer.windowed = rope != 0; }) &&
      model.inner.object()["no_rope_layers"].list().size() == plan.size())
    return;
  const double interval = model.inner.count_or({"no_rope_layer_interval"}, 4, kCount);
  for (std::size_t i = 0; i < plan.size(); ++i)
    plan[i].windowed = (i + 1) % static_cast<std::size_t>(interval) != 0;
  model.notes().derive(fmt::format("all but each {:g}th layer look at a chunk (Llama 4)", interval));
}

void plan_pattern(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto n = model.inner.count({"sliding_window_pattern"}, kCount);
  const double every = n.value_or(model.family.name == "gemma3" ? 6 : 4);
  for (std::size_t i = 0; i < plan.size(); ++i)
    plan[i].windowed = (i + 1) % static_cast<std::size_t>(every) != 0;
  model.notes().derive(fmt::format("all but each {:g}th layer have a window ({})", every,
                                   n ? "sliding_window_pattern" : model.family.name));
}

// Which layers have the window whose size a key gives.
void plan_window(const ModelText& model, std::vector<LayerPlan>& plan) {
  const ConfigLevel& inner = model.inner;
  if (model.family.name == "llama4") return plan_chunks(model, plan);
  const auto use = inner.flag("use_sliding_window");
  if (inner.count_or({"sliding_window"}, 0) == 0 || !use.value_or(true)) {
    inner.set_aside({"max_window_layers", "sliding_window_pattern", "sliding_window_size"});
    return;
  }
  WindowRule rule = model.family.window;
  if (inner.object()["sliding_window_pattern"].is_number()) rule = WindowRule::pattern;
  switch (rule) {
    case WindowRule::all:
      for (LayerPlan& layer : plan) layer.windowed = true;
      return;
    case WindowRule::first_of_two:
      for (std::size_t i = 0; i < plan.size(); i += 2) plan[i].windowed = true;
      model.notes().derive(fmt::format("layers 0, 2, 4, ... have the window ({})", model.family.name));
      return;
    case WindowRule::pattern:
      return plan_pattern(model, plan);
    case WindowRule::from_layer: {
      const double first = inner.count_or({"max_window_layers"}, model.layers);
      if (use.value_or(false))
        for (std::size_t i = static_cast<std::size_t>(first); i < plan.size(); ++i) plan[i].windowed = true;
      return;
    }
    case WindowRule::none:
      model.notes().doubt(
          "'sliding_window' is set, and which layers have it isn't known; all are counted as full");
  }
}

void plan_mixers(const ModelText& model, std::vector<LayerPlan>& plan) {
  if (plan_by_types(model, plan) || plan_by_numbers(model, plan)) return;
  if (plan_by_list(model, "attn_type_list", plan, [&](LayerPlan& layer, double kind) {
        const bool linear = kind == 0 && model.family.name == "minimax";
        if (kind != 1) layer.mixer = linear ? Mixer::lightning : Mixer::unknown;
      })) {
    const auto unknown = std::ranges::count(plan, Mixer::unknown, &LayerPlan::mixer);
    if (unknown > 0)
      model.notes().doubt(fmt::format("'attn_type_list' has {} layers of a kind that isn't known", unknown));
    return;
  }
  if (plan_by_interval(model, plan)) return;
  const auto window = [](LayerPlan& layer, double kind) { layer.windowed = kind == 1; };
  if (plan_by_list(model, "hybrid_layer_pattern", plan, window)) return;
  if (model.inner.has("compress_ratios")) return;
  plan_window(model, plan);
}

// DeepSeek-V4: one more entry for each MTP layer.
void plan_compression(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto ratios =
      model.inner.has("compress_ratios") ? model.inner.numbers("compress_ratios") : std::nullopt;
  if (!ratios) return;
  if (ratios->size() < plan.size()) fits(model, "compress_ratios", ratios->size());
  for (std::size_t i = 0; i < std::min(plan.size(), ratios->size()); ++i) plan[i].compression = (*ratios)[i];
  const bool known =
      std::ranges::all_of(*ratios, [](double ratio) { return ratio == 0 || ratio == 4 || ratio == 128; });
  if (!known || model.family.name != "deepseek_v4")
    model.notes().doubt(
        "'compress_ratios' of a kind that isn't known: keys and values are counted without certainty");
}

void plan_indexers(const ModelText& model, std::vector<LayerPlan>& plan) {
  if (model.inner.has("index_topk") && model.inner.has("index_n_heads")) {
    for (LayerPlan& layer : plan)
      layer.indexed = layer.mixer == Mixer::attention && (layer.compression < 0 || layer.compression == 4);
  }
  const auto kinds = model.inner.has("indexer_types") ? model.inner.texts("indexer_types") : std::nullopt;
  if (!kinds) return;
  fits(model, "indexer_types", kinds->size());
  for (std::size_t i = 0; i < std::min(plan.size(), kinds->size()); ++i) {
    if ((*kinds)[i] == "shared")
      plan[i].indexed = false;
    else if ((*kinds)[i] != "full")
      model.notes().doubt(fmt::format("'indexer_types' has '{}', which isn't known", (*kinds)[i]));
  }
}

// MiniMax-M3: which layers are sparse.
void plan_sparse_blocks(const ModelText& model, std::vector<LayerPlan>& plan) {
  const auto level = model.inner.level("sparse_attention_config");
  if (!level) return;
  const auto layers =
      level->has("sparse_attention_freq") ? level->numbers("sparse_attention_freq") : std::nullopt;
  if (!layers) {
    model.notes().doubt("'sparse_attention_config' doesn't say which layers are sparse");
    return;
  }
  fits(model, "sparse_attention_freq", layers->size());
  const bool used = level->flag("use_sparse_attention").value_or(true);
  const auto none =
      level->has("sparse_disable_index_value") ? level->numbers("sparse_disable_index_value") : std::nullopt;
  bool values = false;
  for (std::size_t i = 0; i < std::min(plan.size(), layers->size()); ++i) {
    plan[i].indexed = used && (*layers)[i] != 0;
    values = values || (plan[i].indexed && (!none || i >= none->size() || (*none)[i] == 0));
  }
  if (values)
    model.notes().doubt(
        "'sparse_attention_config' has layers whose indexer keeps values: they aren't counted");
}

}  // namespace

std::vector<LayerPlan> plan_layers(const ModelText& model) {
  std::vector<LayerPlan> plan(static_cast<std::size_t>(model.layers));
  if (plan_alternating(model, plan)) return plan;
  plan_mixers(model, plan);
  plan_compression(model, plan);
  plan_indexers(model, plan);
  plan_sparse_blocks(model, plan);
  plan_feed_forward(model, plan);
  plan_blocks(model, plan);
  return plan;
}

}  // namespace ringside
