#include <fmt/format.h>

#include "served/model/layer_parts.hpp"

namespace ringside {
namespace {

// Bytes of a number of the recurrent state: as configured, else fp32, which servers use unless told
// otherwise.
double state_number_bytes(const ModelText& model) {
  const std::string name = model.inner.text({"mamba_ssm_cache_dtype", "mamba_ssm_dtype"});
  if (const auto stored = stored_type(name)) return stored->bytes;
  if (!name.empty() && name != "auto")
    model.notes().doubt(fmt::format("a state of type '{}' isn't known", name));
  model.notes().derive("states of linear layers are counted in fp32: no key says their type");
  return 4;
}

// The last tokens that a convolution looks at, one less than its width.
double convolution_bytes(const ModelText& model, double channels, double width) {
  return channels * (width - 1) * model.quantization.unquantized().bytes;
}

// Gated delta rule (Qwen3-Next): queries and keys of the key heads, values and gates of the value heads.
void add_gated_delta(const ModelText& model, const LayerPlace& place, LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double key_heads = inner.need({"linear_num_key_heads"});
  const double value_heads = inner.need({"linear_num_value_heads"});
  const double key = inner.need({"linear_key_head_dim"});
  const double value = inner.need({"linear_value_head_dim"});
  const double width = inner.need({"linear_conv_kernel_dim"});
  const double keys = key_heads * key;
  const double values = value_heads * value;
  group.heads = whole(value_heads);
  group.kv_heads = whole(key_heads);
  group.head_size = whole(key);
  group.value_size = whole(value);
  Weights& weights = group.attention_weights;
  weights += model.matrix(place.name("linear_attn.in_proj_qkv|linear_attn.in_proj_qkvz"),
                          model.hidden * (2 * keys + values));
  weights +=
      model.matrix(place.name("linear_attn.in_proj_z|linear_attn.in_proj_qkvz"), model.hidden * values);
  weights += model.matrix(place.name("linear_attn.out_proj"), values * model.hidden);
  weights +=
      model.plain(2 * model.hidden * value_heads + (2 * keys + values) * width + 2 * value_heads + value);
  group.state_bytes = value_heads * key * value * state_number_bytes(model) +
                      convolution_bytes(model, 2 * keys + values, width);
  model.notes().derive(
      fmt::format("state of a linear layer: {:g} x {:g} x {:g} numbers and {:g} tokens of {:g} "
                  "channels, {:g} bytes a sequence",
                  value_heads, key, value, width - 1, 2 * keys + values, group.state_bytes));
}

// Kimi delta attention: as many key as value heads, decay and gate from narrow matrices.
void add_kimi_delta(const ModelText& model, const LayerPlace& place, LayerGroup& group) {
  const auto level = model.inner.level("linear_attn_config");
  const double heads = level->need({"num_heads"});
  const double size = level->need({"head_dim"});
  const double width = level->need({"short_conv_kernel_size"});
  const double all = heads * size;
  const bool full_gate = level->flag("use_full_rank_gate").value_or(false);
  group.heads = group.kv_heads = whole(heads);
  group.head_size = group.value_size = whole(size);
  Weights& weights = group.attention_weights;
  weights += model.matrix(place.name("self_attn.q_proj"), 3 * model.hidden * all);
  weights += model.matrix(place.name("self_attn.o_proj"), all * model.hidden);
  weights += model.matrix(place.name("self_attn.f_a_proj"), model.hidden * size + size * all);
  weights += model.matrix(place.name("self_attn.g_a_proj|self_attn.g_proj"),
                          full_gate ? model.hidden * all : model.hidden * size + size * all);
  weights += model.plain(model.hidden * heads + 3 * all * width + all + heads + size);
  group.state_bytes =
      heads * size * size * state_number_bytes(model) + convolution_bytes(model, 3 * all, width);
  model.notes().derive(fmt::format(
      "state of a linear layer: {:g} x {:g} x {:g} numbers and a convolution, {:g} bytes a sequence", heads,
      size, size, group.state_bytes));
}

void add_mamba(const ModelText& model, const LayerPlace& place, LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double heads = inner.need({"mamba_num_heads", "mamba_n_heads"});
  const double size = inner.need({"mamba_head_dim", "mamba_d_head"});
  const double groups = inner.need({"n_groups", "mamba_n_groups"});
  const double state = inner.need({"ssm_state_size", "mamba_d_state"});
  const double width = inner.need({"conv_kernel", "mamba_d_conv"});
  inner.find({"expand", "mamba_expand"});
  const double values = heads * size;
  const double channels = values + 2 * groups * state;
  group.heads = whole(heads);
  group.kv_heads = whole(groups);
  group.head_size = whole(state);
  group.value_size = whole(size);
  Weights& weights = group.attention_weights;
  weights +=
      model.matrix(place.name("mixer.in_proj|mamba.in_proj"), model.hidden * (values + channels + heads));
  weights += model.matrix(place.name("mixer.out_proj|mamba.out_proj"), values * model.hidden);
  weights += model.plain(channels * (width + 1) + 3 * heads + values);
  group.state_bytes = values * state * state_number_bytes(model) + convolution_bytes(model, channels, width);
  model.notes().derive(
      fmt::format("state of a Mamba-2 layer: {:g} x {:g} x {:g} numbers and {:g} tokens of {:g} "
                  "channels, {:g} bytes a sequence",
                  heads, size, state, width - 1, channels, group.state_bytes));
}

}  // namespace

void add_linear_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                          LayerGroup& group) {
  group.attention = AttentionKind::linear;
  if (plan.mixer == Mixer::gated_delta) return add_gated_delta(model, place, group);
  if (plan.mixer == Mixer::kimi_delta) return add_kimi_delta(model, place, group);
  add_mamba(model, place, group);
}

}  // namespace ringside
