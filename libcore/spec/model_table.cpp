#include "spec/model_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ringside {
namespace {

constexpr Range kCount{1, 1e6};
constexpr Range kNone{0, 1e6};
constexpr Range kParameters{0, 1e13};
constexpr Range kBits{1, 64};

// A JSON string is a basic string of TOML.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

ModelShape read_model(const TomlTable& table) {
  ModelShape model;
  model.name = table.get<std::string>("name");
  model.origin = table.find_name("origin", parse_origin).value_or(Origin::assumed);
  model.source = table.find<std::string>("source").value_or("");
  model.layers = table.get<int>("layers", kCount);
  model.hidden = table.get<int>("hidden", kCount);
  model.moe_layers = table.find<int>("moe_layers", kNone).value_or(0);
  model.experts = table.find<int>("experts", kNone).value_or(0);
  model.top_k = table.find<int>("top_k", kNone).value_or(0);
  model.shared_experts = table.find<int>("shared_experts", kNone).value_or(0);
  model.expert_intermediate = table.find<int>("expert_intermediate", kNone).value_or(0);
  model.dense_intermediate = table.find<int>("dense_intermediate", kNone).value_or(0);
  model.attention_parameters = table.find<double>("attention_parameters", kParameters).value_or(0);
  model.heads = table.find<int>("heads", kNone).value_or(0);
  model.head_size = table.find<int>("head_size", kNone).value_or(0);
  model.kv_rank = table.find<int>("kv_rank", kNone).value_or(0);
  model.rope_size = table.find<int>("rope_size", kNone).value_or(0);
  model.vocabulary = table.find<double>("vocabulary", kParameters).value_or(0);
  model.dtype = table.find_name("dtype", parse_dtype).value_or(DType::bf16);
  model.expert_bits = table.find<double>("expert_bits", kBits).value_or(16);
  model.other_bits = table.find<double>("other_bits", kBits).value_or(16);
  model.kv_bytes = table.find<double>("kv_bytes", kParameters).value_or(0);
  model.kv_heads = table.find<int>("kv_heads", kNone).value_or(0);
  model.allreduces = table.find<int>("allreduces", kCount).value_or(2 * model.layers);
  if (model.moe_layers > model.layers) {
    throw table.error("moe_layers",
                      fmt::format("{} of {} layers can't have experts", model.moe_layers, model.layers));
  }
  if (model.moe_layers > 0 && (model.experts < 1 || model.top_k < 1 || model.expert_intermediate < 1)) {
    throw table.error("moe_layers",
                      "layers with experts need experts, top_k and expert_intermediate of 1 or more");
  }
  if (model.top_k > model.experts)
    throw table.error("top_k", fmt::format("{} of {} experts can't be chosen", model.top_k, model.experts));
  return model;
}

// Allreduces are left to follow the layers.
std::string model_toml(const ModelShape& model) {
  std::string text = "[model]\n";
  const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} = {}\n", key, value); };
  add("name", quoted(model.name));
  add("origin", quoted(std::string(to_string(model.origin))));
  add("source", quoted(model.source));
  add("layers", model.layers);
  add("hidden", model.hidden);
  add("moe_layers", model.moe_layers);
  add("experts", model.experts);
  add("top_k", model.top_k);
  add("shared_experts", model.shared_experts);
  add("expert_intermediate", model.expert_intermediate);
  add("dense_intermediate", model.dense_intermediate);
  add("attention_parameters", model.attention_parameters);
  add("heads", model.heads);
  add("head_size", model.head_size);
  add("kv_rank", model.kv_rank);
  add("rope_size", model.rope_size);
  add("vocabulary", model.vocabulary);
  add("dtype", quoted(std::string(to_string(model.dtype))));
  add("expert_bits", model.expert_bits);
  add("other_bits", model.other_bits);
  add("kv_bytes", model.kv_bytes);
  add("kv_heads", model.kv_heads);
  return text;
}

}  // namespace ringside
