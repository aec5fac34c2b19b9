#include "served/model/weight_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr CountLimits kGroup{1, 65536};
constexpr double kScale16 = 2;    // bytes of an fp16 or bf16 scale
constexpr double kScale32 = 4;    // of an fp32 scale
constexpr double kPointBits = 4;  // of the zero point of a group of int4

StoredAs int4(double group) {
  return {WeightFormat::int4, 0.5 + kScale16 / group};
}

StoredAs nvfp4(double group) {
  return {WeightFormat::nvfp4, 0.5 + 1 / group};  // an fp8 scale
}

StoredAs mxfp4() {
  return {WeightFormat::mxfp4, 0.5 + 1.0 / 32};  // a scale of 8 exponent bits
}

StoredAs fp8_block(double rows, double columns, double scale) {
  return {WeightFormat::fp8_block, 1 + scale / (rows * columns)};
}

// ModelOpt's names of algorithms; groups as it sets them by default.
std::optional<StoredAs> algorithm(const std::string& name, double group) {
  const std::string text = lower_case(name);
  if (text == "fp8" || text == "fp8_per_channel_per_token") return StoredAs{WeightFormat::fp8, 1};
  if (text == "fp8_pb_wo" || text == "fp8_pb_real") return fp8_block(128, 128, kScale32);
  if (text.find("nvfp4") != std::string::npos) return nvfp4(group > 0 ? group : 16);
  if (text.find("mxfp4") != std::string::npos) return mxfp4();
  if (text == "mxfp8") return StoredAs{WeightFormat::mxfp8, 1 + 1.0 / 32};
  if (text == "w4a16_awq" || text == "w4a8_awq" || text == "int4_awq") return int4(group > 0 ? group : 128);
  if (text == "w8a16" || text == "w8a8_sq_per_channel" || text == "int8_sq" || text == "w8a8" ||
      text == "int8")
    return StoredAs{WeightFormat::int8, 1};
  return std::nullopt;
}

// Weights of a group of compressed-tensors: {"num_bits": 4, "type": "float", "group_size": 16, ...}.
std::optional<StoredAs> described_weights(const ConfigLevel& weights) {
  const double bits = weights.count_or({"num_bits"}, 0, {0, 64});
  const bool floating = weights.text({"type"}) == "float";
  const double group = weights.count_or({"group_size"}, 0, {-1, 65536});
  if (bits == 8 && floating && group == 32) return StoredAs{WeightFormat::mxfp8, 1 + 1.0 / 32};
  if (bits == 8 && floating) {
    const auto block = weights.numbers("block_structure");
    return block && block->size() == 2 && block->front() > 0 && block->back() > 0
               ? fp8_block(block->front(), block->back(), kScale32)
               : StoredAs{WeightFormat::fp8, 1};
  }
  if (bits == 8) return StoredAs{WeightFormat::int8, 1 + (group > 0 ? kScale16 / group : 0)};
  if (bits == 4 && floating && group == 32) return mxfp4();
  if (bits == 4 && floating) return nvfp4(group > 0 ? group : 16);
  if (bits == 4) return group > 0 ? int4(group) : StoredAs{WeightFormat::int4, 0.5};
  return std::nullopt;
}

// Methods whose weights are packed integers with a scale (and a zero point) for each group.
std::optional<StoredAs> packed_weights(const ConfigLevel& level) {
  const double bits = level.count_or({"bits", "w_bit", "num_bits"}, 0, {0, 64});
  const double group = level.count_or({"group_size", "q_group_size"}, 128, {-1, 65536});
  const double scales = group > 0 ? (kScale16 + kPointBits / 8) / group : 0;
  if (bits == 4) return StoredAs{WeightFormat::int4, 0.5 + scales};
  if (bits == 8) return StoredAs{WeightFormat::int8, 1 + scales};
  return std::nullopt;
}

std::optional<StoredAs> bits_and_bytes(const ConfigLevel& level) {
  if (level.flag("load_in_4bit").value_or(false)) {
    const bool twice = level.flag("bnb_4bit_use_double_quant").value_or(false);
    return StoredAs{WeightFormat::int4, 0.5 + (twice ? 1.0 : kScale32) / 64};
  }
  if (level.flag("load_in_8bit").value_or(false)) return StoredAs{WeightFormat::int8, 1};
  return std::nullopt;
}

StoredAs fp8_weights(const ConfigLevel& level) {
  const double scale = level.text({"scale_fmt"}) == "ue8m0" ? 1 : kScale32;
  const auto block = level.numbers("weight_block_size");
  if (!block) return {WeightFormat::fp8, 1};
  if (block->size() != 2 || !(block->front() >= 1) || !(block->back() >= 1)) {
    level.notes().doubt(fmt::format("'{}weight_block_size' is no pair of sizes", level.path()));
    return {WeightFormat::fp8, 1};
  }
  return fp8_block(block->front(), block->back(), scale);
}

}  // namespace

std::optional<StoredAs> stored_type(const std::string& name) {
  static const std::map<std::string, StoredAs> types = {{"bfloat16", {WeightFormat::bf16, 2}},
                                                        {"bf16", {WeightFormat::bf16, 2}},
                                                        {"float16", {WeightFormat::fp16, 2}},
                                                        {"fp16", {WeightFormat::fp16, 2}},
                                                        {"half", {WeightFormat::fp16, 2}},
                                                        {"float32", {WeightFormat::fp32, 4}},
                                                        {"fp32", {WeightFormat::fp32, 4}},
                                                        {"float", {WeightFormat::fp32, 4}},
                                                        {"fp8", {WeightFormat::fp8, 1}},
                                                        {"float8_e4m3fn", {WeightFormat::fp8, 1}},
                                                        {"fp4", {WeightFormat::mxfp4, 0.5 + 1.0 / 32}},
                                                        {"mxfp4", {WeightFormat::mxfp4, 0.5 + 1.0 / 32}},
                                                        {"int8", {WeightFormat::int8, 1}}};
  const auto found = types.find(name.starts_with("torch.") ? name.substr(6) : name);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

void Quantization::read(const ConfigLevel& level) {
  const std::string method = level.text({"quant_method"});
  const std::string named = level.text({"quant_algo"});
  read_kv(level);
  if (level.has("quantized_layers")) read_layers(level);
  const bool grouped = level.level("config_groups").has_value();
  if (!named.empty() && named != "MIXED_PRECISION")
    read_algorithm(level, named);
  else if (grouped && !level.has("quantized_layers"))
    read_groups(level);
  else if (named.empty() || method == "fp8")
    read_method(level, method);
  if (!quantised()) {
    level.notes().doubt(fmt::format(
        "'{}' doesn't say in a known way how weights are stored (quant_method '{}', quant_algo '{}'); they "
        "are counted without it",
        level.path().substr(0, level.path().size() - 1), method, named));
  }
  // In a file that mixes both, the list names what the second format left in the first.
  if (!level.has("quantized_layers") || !default_) read_excluded(level);
}

void Quantization::read_method(const ConfigLevel& level, const std::string& method) {
  std::optional<StoredAs> stored;
  if (method == "fp8" || method == "fbgemm_fp8" || method == "modelopt_fp8") stored = fp8_weights(level);
  if (method == "gptq" || method == "awq" || method == "auto-round" || method == "gptq_marlin")
    stored = packed_weights(level);
  if (method == "bitsandbytes") stored = bits_and_bytes(level);
  if (method == "mxfp4") {
    stored = mxfp4();
    only_experts_ = true;
  }
  default_ = stored;
}

void Quantization::read_algorithm(const ConfigLevel& level, const std::string& name) {
  default_ = algorithm(name, level.count_or({"group_size"}, 0, kCountOrNone));
}

// {"group_0": {"targets": ["Linear"], "weights": {...}}}; targets are "Linear" (every matrix in a layer) or
// names.
void Quantization::read_groups(const ConfigLevel& level) {
  const auto groups = level.level("config_groups");
  for (const auto& item : groups->object().members()) {
    const auto group = groups->level(item.name.c_str());
    const auto weights = group ? group->level("weights") : std::nullopt;
    const auto stored = weights ? described_weights(*weights) : std::nullopt;
    if (!stored) {
      level.notes().doubt(
          fmt::format("'{}{}' doesn't say in a known way how weights are stored", groups->path(), item.name));
      continue;
    }
    const auto targets = group->has("targets") ? group->texts("targets") : std::nullopt;
    if (!targets || std::ranges::find(*targets, "Linear") != targets->end()) {
      default_ = stored;
      continue;
    }
    for (const std::string& target : *targets) rules_.add(target, *stored, level.notes());
  }
}

// {"model.layers.0.mlp.experts": {"quant_algo": "NVFP4", "group_size": 16}}
void Quantization::read_layers(const ConfigLevel& level) {
  const auto layers = level.level("quantized_layers");
  if (!layers) return;
  level.notes().use(level.path() + "quantized_layers");
  for (const auto& item : layers->object().members()) {
    const ConfigObject& entry = item.value;
    const std::string& name = entry["quant_algo"].text();
    const double group = std::clamp(entry["group_size"].number(), 0.0, kGroup.most);
    const auto stored = algorithm(name, group);
    if (stored)
      rules_.add(item.name, *stored, level.notes());
    else
      level.notes().doubt(
          fmt::format("'{}quantized_layers' has an unknown way to store weights: '{}'", level.path(), name));
  }
}

void Quantization::read_excluded(const ConfigLevel& level) {
  for (const char* key : {"modules_to_not_convert", "ignored_layers", "exclude_modules", "ignore",
                          "llm_int8_skip_modules", "modules_to_not_quantize"}) {
    if (!level.has(key)) continue;
    for (const std::string& entry : level.texts(key).value_or(std::vector<std::string>{}))
      excluded_.add(entry, unquantized_, level.notes());
  }
}

void Quantization::read_kv(const ConfigLevel& level) {
  const std::string named = lower_case(level.text({"kv_cache_quant_algo", "kv_cache_scheme"}));
  if (named == "fp8" || named == "int8") kv_bytes_ = 1;
  if (named == "nvfp4") kv_bytes_ = nvfp4(16).bytes;
  if (!named.empty() && !kv_bytes_)
    level.notes().doubt(fmt::format("'{}kv_cache_quant_algo' {} isn't known", level.path(), named));
  if (const auto scheme = level.level("kv_cache_scheme"))
    kv_bytes_ = scheme->count_or({"num_bits"}, 16, {1, 64}) / 8;
}

void Quantization::read_mlx(const ConfigLevel& level) {
  const double bits = level.count_or({"bits"}, 0, {0, 64});
  const double group = level.count_or({"group_size"}, 64, kGroup);
  if (bits != 2 && bits != 3 && bits != 4 && bits != 5 && bits != 6 && bits != 8) {
    level.notes().doubt(fmt::format("'{}bits' of {} isn't known", level.path(), bits));
    return;
  }
  const auto stored = [](double bit, double size) {
    return StoredAs{bit == 8 ? WeightFormat::int8 : WeightFormat::int4, bit / 8 + 2 * kScale16 / size};
  };
  default_ = stored(bits, group);
  vocabulary_ = true;
  for (const auto& item : level.object().members()) {
    const auto own = level.level(item.name.c_str());
    if (own)
      rules_.add(item.name,
                 stored(own->count_or({"bits"}, bits, {1, 16}), own->count_or({"group_size"}, group, kGroup)),
                 level.notes());
    if (item.value.is_boolean() && !item.value.boolean())
      excluded_.add(item.name, unquantized_, level.notes());
  }
}

std::optional<StoredAs> Quantization::find(const MatrixName& name) const {
  if (const auto stored = rules_.find(name)) return stored;
  if (excluded_.find(name)) return unquantized_;
  return std::nullopt;
}

StoredAs Quantization::matrix(const MatrixName& name) const {
  if (const auto stored = find(name)) return *stored;
  return only_experts_ ? unquantized_ : default_.value_or(unquantized_);
}

StoredAs Quantization::routed_expert(const MatrixName& name) const {
  if (const auto stored = find(name)) return *stored;
  return experts_ ? *experts_ : default_.value_or(unquantized_);
}

// Vocabulary matrices are left as they are unless a rule names them.
StoredAs Quantization::embedding() const {
  if (const auto stored = find({"embed_tokens|embeddings|wte|embed"})) return *stored;
  return vocabulary_ ? default_.value_or(unquantized_) : unquantized_;
}

StoredAs Quantization::head() const {
  if (const auto stored = find({"lm_head|head|output"})) return *stored;
  return vocabulary_ ? default_.value_or(unquantized_) : unquantized_;
}

}  // namespace ringside
