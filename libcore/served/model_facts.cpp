#include "served/model_facts.hpp"

#include <algorithm>
#include <filesystem>

#include "base/input_file.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostIndex = std::size_t{256} << 20;  // bytes; the largest in use has 40 million

double over_groups(const std::vector<LayerGroup>& groups, double (*of_layer)(const LayerGroup&)) {
  double sum = 0;
  for (const LayerGroup& group : groups) sum += group.layers * of_layer(group);
  return sum;
}

bool has_window(const LayerGroup& group) {
  return group.window > 0;
}

// A compressed layer's window holds single tokens, of one vector each.
double window_numbers(const LayerGroup& group) {
  if (!has_window(group)) return 0;
  return group.attention == AttentionKind::compressed ? group.head_size : group.kv_numbers;
}

double kept_numbers(const LayerGroup& group) {
  return has_window(group) && group.attention != AttentionKind::compressed ? 0 : group.kv_numbers;
}

}  // namespace

std::string_view to_string(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::full:
      return "full";
    case AttentionKind::sliding:
      return "sliding";
    case AttentionKind::sparse:
      return "sparse";
    case AttentionKind::latent:
      return "latent";
    case AttentionKind::sparse_latent:
      return "sparse latent";
    case AttentionKind::compressed:
      return "compressed";
    case AttentionKind::linear:
      return "linear";
    case AttentionKind::none:
      return "none";
    case AttentionKind::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(WeightFormat format) {
  switch (format) {
    case WeightFormat::fp32:
      return "fp32";
    case WeightFormat::bf16:
      return "bf16";
    case WeightFormat::fp16:
      return "fp16";
    case WeightFormat::fp8:
      return "fp8";
    case WeightFormat::fp8_block:
      return "fp8_block";
    case WeightFormat::mxfp8:
      return "mxfp8";
    case WeightFormat::int8:
      return "int8";
    case WeightFormat::int4:
      return "int4";
    case WeightFormat::nvfp4:
      return "nvfp4";
    case WeightFormat::mxfp4:
      break;
  }
  return "mxfp4";
}

double number_bytes(WeightFormat format) {
  switch (format) {
    case WeightFormat::fp32:
      return 4;
    case WeightFormat::bf16:
    case WeightFormat::fp16:
      return 2;
    case WeightFormat::fp8:
    case WeightFormat::fp8_block:
    case WeightFormat::mxfp8:
    case WeightFormat::int8:
      return 1;
    case WeightFormat::int4:
    case WeightFormat::nvfp4:
    case WeightFormat::mxfp4:
      break;
  }
  return 0.5;
}

Weights& Weights::operator+=(const Weights& other) {
  if (other.parameters > parameters) format = other.format;
  parameters += other.parameters;
  bytes += other.bytes;
  return *this;
}

Weights LayerGroup::total() const {
  Weights sum = active();
  sum.parameters += (routed - per_token) * expert_weights.parameters;
  sum.bytes += (routed - per_token) * expert_weights.bytes;
  return sum;
}

Weights LayerGroup::active() const {
  Weights sum = attention_weights;
  for (const Weights& part : {dense_weights, shared_weights, router_weights, norm_weights}) sum += part;
  sum += {per_token * expert_weights.parameters, per_token * expert_weights.bytes, expert_weights.format};
  return sum;
}

int ModelFacts::layers() const {
  int sum = 0;
  for (const LayerGroup& group : groups) sum += group.layers;
  return sum;
}

double ModelFacts::kv_bytes(double number_bytes) const {
  return over_groups(groups, kept_numbers) * number_bytes +
         over_groups(groups, [](const LayerGroup& group) { return group.index_bytes; });
}

double ModelFacts::window_bytes(double number_bytes) const {
  return over_groups(groups, window_numbers) * number_bytes;
}

double ModelFacts::sequence_bytes(double context, double number_bytes) const {
  double bytes = kv_bytes(number_bytes) * context + state_bytes();
  for (const LayerGroup& group : groups)
    bytes += group.layers * window_numbers(group) * number_bytes * std::min<double>(context, group.window);
  return bytes;
}

double ModelFacts::state_bytes() const {
  return over_groups(groups, [](const LayerGroup& group) { return group.state_bytes; });
}

ModelFiles load_model_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path config = fs::is_directory(path, none) ? fs::path(path) / "config.json" : fs::path(path);
  ModelFiles files;
  files.origin = config.string();
  files.config = read_text_file(files.origin);
  const auto beside = [&](const char* name) {
    const fs::path neighbour = config.parent_path() / name;
    return fs::is_regular_file(neighbour, none) ? read_text_file(neighbour.string(), kMostIndex)
                                                : std::string();
  };
  files.quantization = beside("hf_quant_config.json");
  files.index = beside("model.safetensors.index.json");
  return files;
}

}  // namespace ringside
