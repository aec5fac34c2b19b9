#include <fmt/format.h>

#include "served/model/layer_parts.hpp"

namespace ringside {
namespace {

constexpr double kScaleBytes = 4;  // of 128 numbers of an indexer's key
constexpr double kScaledNumbers = 128;

// DeepSeek sparse attention: queries from the compressed ones, one key a token, a weight a head.
void add_indexer(const ModelText& model, const LayerPlace& place, double query_input, LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double heads = inner.need({"index_n_heads"});
  const double size = inner.need({"index_head_dim"});
  group.attention_weights +=
      model.matrix(place.name("self_attn.indexer.wq_b|attn.indexer.wq_b"), query_input * heads * size);
  group.attention_weights +=
      model.matrix(place.name("self_attn.indexer.wk|attn.indexer.wk"), model.hidden * size);
  group.attention_weights += model.plain(model.hidden * heads + 2 * size);
  group.index_bytes = size + kScaleBytes * size / kScaledNumbers;
  group.read_tokens = whole(inner.need({"index_topk"}));
  model.notes().derive(fmt::format(
      "an indexer's key takes {:g} bytes a token (fp8 and a scale for 128 numbers)", group.index_bytes));
}

// MiniMax-M3: index heads beside the usual ones, blocks chosen by them.
void add_block_indexer(const ModelText& model, const LayerPlace& place, LayerGroup& group) {
  const auto level = model.inner.level("sparse_attention_config");
  if (!level) return;
  const double heads = level->need({"sparse_num_index_heads"});
  const double size = level->need({"sparse_index_dim"});
  const double blocks = level->need({"sparse_topk_blocks"});
  const double block = level->need({"sparse_block_size"});
  group.attention = AttentionKind::sparse;
  group.attention_weights += model.matrix(place.name("self_attn.index_q_proj"), model.hidden * heads * size);
  group.attention_weights += model.matrix(place.name("self_attn.index_k_proj"), model.hidden * size);
  group.index_bytes = size * model.quantization.unquantized().bytes;
  group.read_tokens = whole(blocks * block);
  model.notes().derive(
      fmt::format("a step reads at most {:g} x {:g} tokens in layers with sparse blocks", blocks, block));
}

double head_size(const ModelText& model, double heads) {
  const ConfigLevel& inner = model.inner;
  if (const auto size = inner.count({"head_dim", "attention_head_dim", "kv_channels"}, kCount)) return *size;
  const double size = model.hidden / heads;
  model.notes().derive(fmt::format("head_dim = {:g} / {:g} = {:g}", model.hidden, heads, size));
  return size;
}

double kv_head_count(const ModelText& model, double heads) {
  const ConfigLevel& inner = model.inner;
  if (const auto groups =
          inner.count({"num_key_value_heads", "num_kv_heads", "n_head_kv", "num_query_groups"}, kCount)) {
    const bool one =
        inner.flag("multi_query").value_or(false) && !inner.flag("new_decoder_architecture").value_or(false);
    return one ? 1 : *groups;
  }
  if (inner.flag("multi_query_attention").value_or(false)) return inner.need({"multi_query_group_num"});
  if (inner.flag("multi_query").value_or(false)) return 1;
  model.notes().derive(fmt::format("keys and values have as many heads as queries: {:g}", heads));
  return heads;
}

// What makes a gate of the attention's output.
double gate_outputs(const ModelText& model, const HeadSizes& sizes) {
  const ConfigLevel& inner = model.inner;
  if (inner.flag("use_head_wise_attn_gate").value_or(false)) return sizes.heads;
  if (inner.flag("attention_output_gate").value_or(false)) return sizes.heads * sizes.value;
  if (inner.flag("attn_output_gate").value_or(model.family.query_gate)) return sizes.heads * sizes.value;
  return 0;
}

bool has_bias(const ModelText& model) {
  if (const auto bias = model.inner.flag("attention_bias")) return *bias;
  if (const auto bias = model.inner.flag("qkv_bias")) return *bias;
  if (const auto bias = model.inner.flag("bias")) return *bias;
  return model.family.attention_bias;
}

int window(const ModelText& model) {
  double size = 0;
  for (const char* key : {"sliding_window", "sliding_window_size", "attention_chunk_size"}) {
    const double other = model.inner.count_or({key}, 0);
    if (size > 0 && other > 0 && other != size)
      model.notes().doubt(fmt::format("'{}' of {:g} is not the window of {:g}", key, other, size));
    if (size == 0) size = other;
  }
  if (size == 0)
    model.notes().doubt("layers have a window whose size no key gives; they are counted as full");
  return whole(size);
}

// 0 stands for a key that this model doesn't use.
double value_size(const ModelText& model, const char* key, double otherwise) {
  const double size = model.inner.count_or({key}, 0);
  model.inner.set_aside({"v_head_dim", "qk_nope_head_dim", "qk_rope_head_dim", "use_mla"});
  return size > 0 ? size : otherwise;
}

}  // namespace

HeadSizes head_sizes(const ModelText& model, const LayerPlan& plan) {
  const ConfigLevel& inner = model.inner;
  HeadSizes sizes;
  sizes.heads = inner.need({"num_attention_heads", "n_head", "n_heads"});
  sizes.kv_heads = plan.kv_heads ? *plan.kv_heads : kv_head_count(model, sizes.heads);
  sizes.key = head_size(model, sizes.heads);
  if (plan.windowed) {
    sizes.heads = inner.count_or({"swa_num_attention_heads"}, sizes.heads, kCount);
    sizes.kv_heads = inner.count_or({"swa_num_key_value_heads"}, sizes.kv_heads, kCount);
    sizes.key = inner.count_or({"swa_head_dim"}, sizes.key, kCount);
    sizes.value = value_size(model, "swa_v_head_dim", sizes.key);
  } else {
    sizes.key = inner.count_or({"global_head_dim"}, sizes.key, kCount);
    sizes.kv_heads = inner.count_or({"num_global_key_value_heads"}, sizes.kv_heads, kCount);
    sizes.value = value_size(model, "v_head_dim", sizes.key);
  }
  return sizes;
}

void add_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place, double input,
                   LayerGroup& group) {
  const HeadSizes sizes = head_sizes(model, plan);
  group.attention = plan.windowed ? AttentionKind::sliding : AttentionKind::full;
  if (plan.windowed) group.window = window(model);
  if (plan.windowed && group.window == 0) group.attention = AttentionKind::full;
  group.heads = whole(sizes.heads);
  group.kv_heads = whole(sizes.kv_heads);
  group.head_size = whole(sizes.key);
  group.value_size = whole(sizes.value);
  group.kv_numbers = sizes.kv_heads * (sizes.key + sizes.value);
  // Gemma 4: values are keys before their norms, so one matrix makes both; both are kept.
  const bool shared = !plan.windowed && model.inner.flag("attention_k_eq_v").value_or(false);
  Weights& weights = group.attention_weights;
  weights += model.matrix(place.name("self_attn.q_proj|self_attn.qkv_proj|mixer.q_proj|attention.q_proj"),
                          input * sizes.heads * sizes.key);
  weights += model.matrix(place.name("self_attn.k_proj|self_attn.qkv_proj|mixer.k_proj|attention.k_proj"),
                          input * sizes.kv_heads * sizes.key);
  if (!shared) {
    weights += model.matrix(place.name("self_attn.v_proj|self_attn.qkv_proj|mixer.v_proj|attention.v_proj"),
                            input * sizes.kv_heads * sizes.value);
  }
  weights += model.matrix(place.name("self_attn.o_proj|mixer.o_proj|attention.o_proj"),
                          sizes.heads * sizes.value * model.hidden);
  weights +=
      model.matrix(place.name("self_attn.q_proj|self_attn.g_proj"), input * gate_outputs(model, sizes));
  if (has_bias(model)) {
    weights += model.plain(sizes.heads * sizes.key + sizes.kv_heads * (sizes.key + sizes.value));
    if (model.family.output_bias) weights += model.plain(model.hidden);
  }
  if (plan.indexed) add_block_indexer(model, place, group);
}

void add_latent_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                          LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double heads = inner.need({"num_attention_heads"});
  const double nope = inner.need({"qk_nope_head_dim"});
  const double rope = inner.need({"qk_rope_head_dim"}, kCountOrNone);
  const double value = inner.need({"v_head_dim"});
  const double rank = inner.need({"kv_lora_rank"});
  const double query_rank = inner.count_or({"q_lora_rank"}, 0);
  inner.set_aside({"head_dim", "num_key_value_heads"});
  const double both = inner.count_or({"qk_head_dim"}, nope + rope);
  if (both != nope + rope)
    model.notes().doubt(fmt::format("'qk_head_dim' of {:g} is not {:g} + {:g}", both, nope, rope));
  group.attention = AttentionKind::latent;
  group.heads = whole(heads);
  group.kv_heads = 1;
  group.head_size = whole(nope + rope);
  group.value_size = whole(value);
  group.kv_rank = whole(rank);
  group.rope_size = whole(rope);
  group.q_rank = whole(query_rank);
  group.kv_numbers = rank + rope;
  model.notes().derive(fmt::format(
      "a latent layer keeps {:g} + {:g} numbers a token (kv_lora_rank, qk_rope_head_dim)", rank, rope));
  Weights& weights = group.attention_weights;
  const double queries = heads * (nope + rope);
  if (query_rank > 0) {
    weights +=
        model.matrix(place.name("self_attn.q_a_proj|self_attn.q_a_proj_with_mqa"), model.hidden * query_rank);
    weights += model.matrix(place.name("self_attn.q_b_proj"), query_rank * queries);
    weights += model.plain(query_rank);
  } else {
    weights += model.matrix(place.name("self_attn.q_proj"), model.hidden * queries);
  }
  weights += model.matrix(place.name("self_attn.kv_a_proj_with_mqa"), model.hidden * (rank + rope));
  weights += model.matrix(place.name("self_attn.kv_b_proj"), rank * heads * (nope + value));
  weights += model.matrix(place.name("self_attn.o_proj"), heads * value * model.hidden);
  weights += model.plain(rank);
  if (!model.inner.has("index_topk")) return;
  group.attention = AttentionKind::sparse_latent;
  group.read_tokens = whole(inner.need({"index_topk"}));
  if (plan.indexed) add_indexer(model, place, query_rank > 0 ? query_rank : model.hidden, group);
}

// DeepSeek-V4, as its public model code has it: one key that is the value too, made of several tokens by a
// learned weighting (twice as wide where windows overlap, ratio 4), a window of single tokens beside, and an
// output in groups of low rank.
void add_compressed_attention(const ModelText& model, const LayerPlan& plan, const LayerPlace& place,
                              LayerGroup& group) {
  const ConfigLevel& inner = model.inner;
  const double heads = inner.need({"num_attention_heads"});
  const double size = inner.need({"head_dim"});
  const double query_rank = inner.need({"q_lora_rank"});
  const double groups = inner.need({"o_groups"});
  const double output_rank = inner.need({"o_lora_rank"});
  inner.set_aside({"num_key_value_heads"});
  group.attention = AttentionKind::compressed;
  group.heads = whole(heads);
  group.kv_heads = 1;
  group.head_size = group.value_size = whole(size);
  group.q_rank = whole(query_rank);
  group.rope_size = whole(inner.count_or({"qk_rope_head_dim"}, 0));
  group.window = window(model);
  group.kv_numbers = plan.compression > 0 ? size / plan.compression : 0;
  Weights& weights = group.attention_weights;
  weights += model.matrix(place.name("attn.wq_a|self_attn.wq_a"), model.hidden * query_rank);
  weights += model.matrix(place.name("attn.wq_b|self_attn.wq_b"), query_rank * heads * size);
  weights += model.matrix(place.name("attn.wkv|self_attn.wkv"), model.hidden * size);
  weights += model.matrix(place.name("attn.wo_a|self_attn.wo_a"), heads * size * output_rank);
  weights += model.matrix(place.name("attn.wo_b|self_attn.wo_b"), groups * output_rank * model.hidden);
  weights += model.plain(query_rank + size + heads);
  if (plan.compression <= 0) return;
  const double overlap = plan.compression == 4 ? 2 : 1;
  weights += model.plain(2 * model.hidden * overlap * size + plan.compression * overlap * size + size);
  model.notes().derive(
      fmt::format("a layer with ratio {:g} keeps {:g} numbers a token, and {} tokens of its window",
                  plan.compression, group.kv_numbers, group.window));
  if (!plan.indexed) return;
  add_indexer(model, place, query_rank, group);
  const double index = inner.need({"index_head_dim"});
  group.index_bytes /= plan.compression;
  weights += model.plain((2 * overlap - 1) * model.hidden * index + plan.compression * overlap * index);
}

}  // namespace ringside
