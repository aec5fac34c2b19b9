#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "served/model/layer_plan.hpp"

namespace ringside {
namespace {

using Layers = std::vector<LayerPlan>;

void set_experts(LayerPlan& layer, bool experts, bool beside) {
  layer.experts = experts;
  layer.dense = !experts || beside;
}

// Lists that say it for each layer: {"dense", "sparse"}, {0, 1}.
bool plan_by_list(const ModelText& model, Layers& plan, std::vector<bool>& experts) {
  const ConfigLevel& inner = model.inner;
  if (const auto kinds = inner.has("mlp_layer_types") ? inner.texts("mlp_layer_types") : std::nullopt) {
    for (std::size_t i = 0; i < std::min(plan.size(), kinds->size()); ++i) {
      experts[i] = (*kinds)[i] == "sparse" || (*kinds)[i] == "moe";
      if (!experts[i] && (*kinds)[i] != "dense")
        model.notes().doubt(fmt::format("'mlp_layer_types' has '{}', which isn't known", (*kinds)[i]));
    }
    if (kinds->size() != plan.size())
      model.notes().doubt(
          fmt::format("'mlp_layer_types' has {} entries for {} layers", kinds->size(), plan.size()));
    inner.set_aside({"first_k_dense_replace"});
    if (inner.object()["moe_layer_freq"].number() == 1) inner.set_aside({"moe_layer_freq"});
    return true;
  }
  if (!inner.object()["moe_layer_freq"].is_list()) return false;
  const auto numbers = inner.numbers("moe_layer_freq");
  if (!numbers) return false;
  for (std::size_t i = 0; i < std::min(plan.size(), numbers->size()); ++i) experts[i] = (*numbers)[i] != 0;
  inner.set_aside({"first_k_dense_replace"});
  if (numbers->size() != plan.size())
    model.notes().doubt(
        fmt::format("'moe_layer_freq' has {} entries for {} layers", numbers->size(), plan.size()));
  return true;
}

// "moe_layers_enum": "4,5,6" (Step), or a list of numbers from 0 (moe_layers).
bool plan_by_enumeration(const ModelText& model, std::vector<bool>& experts) {
  const ConfigLevel& inner = model.inner;
  std::vector<double> layers;
  if (inner.object()["moe_layers_enum"].is_string()) {
    for (const std::string& part : split(inner.text({"moe_layers_enum"}), ',')) {
      int number = -1;
      const std::string_view digits = trim(part);
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      layers.push_back(number);
    }
  } else if (!inner.object()["moe_layers"].list().empty()) {
    layers = inner.numbers("moe_layers").value_or(std::vector<double>{});
  }
  if (layers.empty()) return false;
  std::fill(experts.begin(), experts.end(), false);
  for (const double layer : layers)
    if (layer >= 0 && layer < static_cast<double>(experts.size()))
      experts[static_cast<std::size_t>(layer)] = true;
  return true;
}

// Every so many layers, after so many dense ones.
void plan_by_steps(const ModelText& model, std::vector<bool>& experts) {
  const ConfigLevel& inner = model.inner;
  const double first = inner.count_or({"first_k_dense_replace", "moe_layer_start_index"}, 0);
  const double last = inner.count_or({"moe_layer_end_index"}, 1e6, {-1, 1e6});
  const double frequency = inner.count_or({"moe_layer_freq"}, 1, kCount);
  const double step =
      inner.count_or({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"}, 1, kCount);
  for (std::size_t i = 0; i < experts.size(); ++i) {
    const double layer = static_cast<double>(i);
    experts[i] = layer >= first && (last < 0 || layer <= last) && std::fmod(layer, frequency) == 0 &&
                 std::fmod(layer + 1, step) == 0;
  }
  if (const auto dense = inner.has("mlp_only_layers") ? inner.numbers("mlp_only_layers") : std::nullopt) {
    for (const double layer : *dense)
      if (layer >= 0 && layer < static_cast<double>(experts.size()))
        experts[static_cast<std::size_t>(layer)] = false;
  }
}

// One letter a layer: M (Mamba-2), * (attention), E (experts), - (dense).
std::optional<std::vector<std::string>> alternating_kinds(const ModelText& model) {
  if (model.inner.has("layers_block_type")) {
    const auto kinds = model.inner.texts("layers_block_type");
    const bool whole = kinds && std::ranges::any_of(*kinds, [](const std::string& name) {
                         return name == "moe" || name == "mlp";
                       });
    if (whole || model.family.name == "nemotron_h") return kinds;
  }
  const std::string letters = model.inner.text({"hybrid_override_pattern"});
  if (letters.empty()) return std::nullopt;
  std::vector<std::string> kinds;
  for (const char letter : letters) {
    if (letter == '|') continue;
    kinds.push_back(letter == 'M'   ? "mamba"
                    : letter == '*' ? "attention"
                    : letter == 'E' ? "moe"
                    : letter == '-' ? "mlp"
                                    : std::string(1, letter));
  }
  return kinds;
}

LayerPlan alternating_layer(const ModelText& model, const std::string& name) {
  LayerPlan layer{.mixer = Mixer::none, .dense = false};
  if (name == "mamba")
    layer.mixer = model.inner.has("mamba_num_heads") ? Mixer::mamba2 : Mixer::unknown;
  else if (name == "attention")
    layer.mixer = Mixer::attention;
  else if (name == "moe")
    layer.experts = true;
  else if (name == "mlp")
    layer.dense = true;
  else
    layer.mixer = Mixer::unknown;
  if (layer.mixer == Mixer::unknown)
    model.notes().doubt(
        fmt::format("layers of kind '{}' aren't understood, and nothing of them is counted", name));
  return layer;
}

bool is_set(const ConfigObject& part, const char* key) {
  return part[key].boolean();
}

double positive(const ConfigObject& part, const char* key, double most) {
  const double value = part[key].number();
  return value > 0 && value <= most ? value : 0;
}

// Whether the block's attention is understood.
bool plan_block_attention(const ConfigObject& attention, double heads, LayerPlan& layer) {
  if (is_set(attention, "no_op")) {
    layer.mixer = Mixer::none;
    return true;
  }
  const double group = positive(attention, "n_heads_in_group", heads);
  if (group >= 1) layer.kv_heads = std::floor(heads / group);
  return group >= 1 && !is_set(attention, "replace_with_linear");
}

// Whether its feed-forward part is; sizes are rounded up to a multiple of 256.
bool plan_block_ffn(const ConfigObject& ffn, double hidden, LayerPlan& layer) {
  if (is_set(ffn, "no_op")) {
    layer.dense = false;
    return true;
  }
  constexpr double kMostTimes = 100;
  constexpr double kRows = 256;
  const double times = positive(ffn, "ffn_mult", kMostTimes);
  if (times > 0) layer.dense_intermediate = std::ceil(std::floor(2 * times * hidden / 3) / kRows) * kRows;
  return times > 0 && !is_set(ffn, "replace_with_linear");
}

}  // namespace

std::optional<double> routed_experts(const ModelText& model) {
  const auto routed =
      model.inner.count({"n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"});
  return routed.value_or(0) > 0 ? routed : std::nullopt;
}

void plan_feed_forward(const ModelText& model, Layers& plan) {
  if (!routed_experts(model)) return;
  std::vector<bool> experts(plan.size(), true);
  if (!plan_by_list(model, plan, experts) && !plan_by_enumeration(model, experts))
    plan_by_steps(model, experts);
  for (std::size_t i = 0; i < plan.size(); ++i)
    set_experts(plan[i], experts[i], model.family.dense_beside_experts);
}

bool plan_alternating(const ModelText& model, Layers& plan) {
  const auto kinds = alternating_kinds(model);
  if (!kinds) return false;
  if (kinds->size() != plan.size())
    model.notes().doubt(
        fmt::format("the list of layer kinds has {} entries for {} layers", kinds->size(), plan.size()));
  for (std::size_t i = 0; i < plan.size(); ++i)
    plan[i] = i < kinds->size() ? alternating_layer(model, (*kinds)[i]) : LayerPlan{.mixer = Mixer::unknown};
  return true;
}

// {"attention": {"n_heads_in_group": 8, "no_op": false}, "ffn": {"ffn_mult": 2.6, "no_op": false}}
void plan_blocks(const ModelText& model, Layers& plan) {
  const ConfigObject& found = model.inner.object()["block_configs"];
  if (!found.is_list()) return;
  const ConfigObject::List& blocks = found.list();
  model.notes().use(model.inner.path() + "block_configs");
  const double heads = model.inner.need({"num_attention_heads"});
  bool clear = blocks.size() == plan.size();
  for (std::size_t i = 0; i < std::min(plan.size(), blocks.size()); ++i) {
    clear = plan_block_attention(blocks[i]["attention"], heads, plan[i]) && clear;
    clear = plan_block_ffn(blocks[i]["ffn"], model.hidden, plan[i]) && clear;
  }
  if (!clear) model.notes().doubt("'block_configs' has blocks that aren't understood");
}

}  // namespace ringside
