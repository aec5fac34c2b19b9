#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "served/model/layer_parts.hpp"

namespace ringside {
namespace {

constexpr const char* kDense =
    "mlp.gate_proj|mlp.up_proj|mlp.down_proj|mlp.gate_up_proj|mixer.up_proj|mixer.down_proj|feed_forward.up_"
    "proj";
constexpr const char* kShared =
    "mlp.shared_experts.up_proj|mlp.shared_expert.up_proj|block_sparse_moe.shared_experts.up_proj|"
    "ffn.shared_experts.w1|mixer.shared_experts.up_proj|feed_forward.shared_expert.up_proj|share_expert.up_"
    "proj";
constexpr const char* kRouted =
    "mlp.experts.0.up_proj|block_sparse_moe.experts.0.w1|ffn.experts.0.w1|mixer.experts.0.up_proj|"
    "feed_forward.experts.gate_up_proj|moe.experts.0.up_proj|experts.0.up_proj|experts";

double matrices(const LayerGroup& group) {
  return group.gated ? 3 : 2;
}

// The size of dense parts. A few families have their own key for it beside experts.
double dense_size(const ModelText& model, const LayerPlan& plan) {
  if (plan.dense_intermediate) return *plan.dense_intermediate;
  const ConfigLevel& inner = model.inner;
  if (const auto own = inner.count({"intermediate_size_mlp", "dense_intermediate_size"}, kCount)) {
    inner.set_aside({"intermediate_size"});
    return *own;
  }
  if (const auto size = inner.count({"intermediate_size", "n_inner", "ffn_hidden_size"}, kCount)) {
    const double parts = model.family.name == "qwen" ? 2 : 1;  // its key counts two matrices
    return *size / parts;
  }
  if (model.family.gated) return inner.need({"intermediate_size"});
  model.notes().derive(fmt::format("a feed-forward part has 4 x {:g} numbers", model.hidden));
  return 4 * model.hidden;
}

double expert_size(const ModelText& model) {
  const ConfigLevel& inner = model.inner;
  if (const auto size =
          inner.count({"moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size"}, kCount))
    return *size;
  if (!model.family.expert_is_intermediate) {
    model.notes().doubt(
        "no key gives the size of an expert (moe_intermediate_size); intermediate_size is taken");
  }
  return inner.need({"intermediate_size"});
}

double per_token(const ModelText& model, double routed) {
  const double count = model.inner.need({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                         "top_k_experts", "moe_topk", "moe_k", "moe_top_k"});
  if (count > routed)
    throw UsageError(
        fmt::format("{}: {} of {} experts can't be chosen", model.inner.origin(), count, routed));
  return count;
}

// Size of all shared experts together; their number goes into the group.
double shared_size(const ModelText& model, LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const auto number =
      inner.count({"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"});
  const auto size = inner.count({"moe_shared_expert_intermediate_size", "shared_expert_intermediate_size",
                                 "share_expert_dim", "shared_intermediate_size"});
  if (number && *number == 0) return 0;
  if (size) {
    group.shared = whole(*size > 0 ? number.value_or(1) : 0);
    return *size * group.shared;
  }
  if (model.family.one_shared_expert) {
    model.notes().derive(fmt::format("one shared expert of the routed ones' size ({})", model.family.name));
    group.shared = 1;
  } else {
    group.shared = whole(number.value_or(0));
  }
  return group.shared * group.expert_intermediate;
}

void add_experts(const ModelText& model, const LayerPlace& place, LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double routed = routed_experts(model).value_or(0);
  group.experts = true;
  group.routed = whole(routed);
  group.per_token = whole(per_token(model, routed));
  group.expert_intermediate = whole(expert_size(model));
  const auto latent = inner.count({"moe_latent_size", "routed_expert_hidden_size"}, kCount);
  group.expert_hidden = whole(latent.value_or(model.hidden));
  const double numbers = matrices(group) * group.expert_hidden * group.expert_intermediate;
  const std::string& own = model.family.routed_names;
  const std::string_view names = own.empty() ? std::string_view(kRouted) : std::string_view(own);
  group.expert_weights = weights_of(numbers, model.quantization.routed_expert(place.name(names)));
  if (model.family.expert_bias)
    group.expert_weights += model.plain((matrices(group) - 1) * group.expert_intermediate + model.hidden);
  group.router_weights = model.plain(model.hidden * routed);
  group.shared_intermediate = whole(shared_size(model, group));
  if (group.shared_intermediate > 0) {
    group.shared_weights =
        model.matrix(place.name(kShared), matrices(group) * model.hidden * group.shared_intermediate);
    if (model.family.shared_gate) group.shared_weights += model.plain(model.hidden);
  }
  if (latent) {
    group.shared_weights +=
        model.matrix(place.name("mixer.fc1_latent_proj|mlp.fc1_latent_proj"), 2 * model.hidden * *latent);
    model.notes().derive(
        fmt::format("experts work on {:g} numbers; two matrices of each layer lead there and back", *latent));
  }
}

}  // namespace

int whole(double size) {
  return static_cast<int>(std::clamp(size, 0.0, 2e9));
}

void add_feed_forward(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                      LayerGroup& group) {
  group.gated = model.family.gated;
  const std::string act =
      model.inner.text({"mlp_hidden_act", "hidden_act", "hidden_activation", "activation_function"});
  if (!model.known() && act == "relu2") group.gated = false;
  if (plan.experts) add_experts(model, place, group);
  if (!plan.dense) {
    if (plan.experts)
      model.inner.set_aside({"intermediate_size", "intermediate_size_mlp", "dense_intermediate_size"});
    return;
  }
  group.dense_intermediate = whole(dense_size(model, plan));
  group.dense_weights =
      model.matrix(place.name(kDense), matrices(group) * model.hidden * group.dense_intermediate);
  if (model.inner.flag("mlp_bias").value_or(model.family.output_bias))
    group.dense_weights += model.plain((matrices(group) - 1) * group.dense_intermediate + model.hidden);
}

LayerGroup make_layer(const ModelText& model, const LayerPlan& plan, const LayerPlace& place) {
  LayerGroup group;
  group.layers = 1;
  switch (plan.mixer) {
    case Mixer::attention:
      if (plan.compression >= 0)
        add_compressed_attention(model, plan, place, group);
      else if (model.inner.count_or({"kv_lora_rank"}, 0) > 0)
        add_latent_attention(model, plan, place, group);
      else
        add_attention(model, plan, place, model.hidden, group);
      break;
    case Mixer::gated_delta:
    case Mixer::kimi_delta:
    case Mixer::mamba2:
      add_linear_attention(model, plan, place, group);
      break;
    case Mixer::none:
      group.attention = AttentionKind::none;
      break;
    case Mixer::lightning:
    case Mixer::unknown:
      group.attention = AttentionKind::unknown;
      break;
  }
  add_feed_forward(model, plan, place, group);
  group.norm_weights = model.plain((model.family.norm_bias ? 2 : 1) * model.family.norms * model.hidden);
  // DeepSeek-V4 mixes several copies of the hidden state before and after each half of a layer.
  if (const auto copies = model.inner.count({"hc_mult"}, {1, 64}))
    group.norm_weights += model.plain(2 * (2 + *copies) * *copies * *copies * model.hidden);
  return group;
}

}  // namespace ringside
