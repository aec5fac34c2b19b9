#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "served/model/draft_layers.hpp"
#include "served/model/encoders.hpp"
#include "served/model/layer_parts.hpp"
#include "served/model/unread_keys.hpp"
#include "served/model/weight_index.hpp"
#include "served/model_facts.hpp"

namespace ringside {
namespace {

constexpr double kAgreement = 0.03;  // of counted and indexed bytes, relative

// The level that describes the text model: a nested one wins over the top, and within that the next.
ConfigLevel text_level(const ConfigLevel& outer) {
  ConfigLevel level = outer;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const char* name : {"text_config", "llm_config", "language_config", "language_model_config",
                             "thinker_config", "transformer_layer_config"}) {
      const auto nested = level.level(name);
      if (!nested || nested->object().members().empty()) continue;
      level = *nested;
      deeper = true;
      break;
    }
  }
  return level;
}

bool is_nested(const ConfigLevel& outer, const ConfigLevel& inner) {
  return &outer.object() != &inner.object();
}

struct Identity {
  std::string name;
  std::string architecture;
  ModelFamily family;
  bool draft = false;
};

UsageError no_decoder(const ConfigLevel& level, const std::string& architecture) {
  return UsageError(fmt::format("{}: unknown architecture '{}'{}: no decoder that generates text",
                                level.origin(), architecture, nearest_architecture(architecture)));
}

// A nested level's own type counts, as the text model's code follows it; else the architecture.
Identity identify(const ConfigLevel& outer, const ConfigLevel& inner) {
  Identity model;
  model.architecture = first_architecture(outer.object());
  outer.find({"architectures"});
  const std::string own = is_nested(outer, inner) ? first_architecture(inner.object()) : "";
  if (model.architecture.empty()) model.architecture = own;
  const std::string type = inner.text({"model_type"});
  const std::string outer_type = outer.text({"model_type"});
  model.name = !model.architecture.empty() ? model.architecture : !outer_type.empty() ? outer_type : type;
  if (model.name.empty()) model.name = "model";
  model.draft = is_draft_architecture(model.architecture) || outer.has("speculators_model_type");
  const ModelFamily* family = is_nested(outer, inner) ? find_family_of_type(type) : nullptr;
  if (family == nullptr) family = find_family_of_architecture(own);
  if (family == nullptr) family = find_family_of_architecture(model.architecture);
  if (family == nullptr && (model.architecture.empty() || model.draft)) family = find_family_of_type(type);
  if (family == nullptr && model.draft) family = find_family_of_type("llama");
  if (family != nullptr) {
    model.family = *family;
    return model;
  }
  const std::string& architecture = model.architecture;
  const auto encoder = outer.flag("is_encoder_decoder");
  if ((!architecture.empty() && !is_decoder_name(architecture)) || encoder.value_or(false))
    throw no_decoder(outer, architecture);
  const std::string what = architecture.empty() ? "a model without 'architectures'"
                                                : fmt::format("unknown architecture '{}'{}", architecture,
                                                              nearest_architecture(architecture));
  outer.notes().doubt(fmt::format("{}: read as a decoder by the keys that it shares with known ones", what));
  return model;
}

StoredAs activation_type(const ConfigLevel& outer, const ConfigLevel& inner, ReadingNotes& notes) {
  std::string name = inner.text({"dtype", "torch_dtype"});
  if (name.empty() || name == "auto") name = outer.text({"dtype", "torch_dtype"});
  if (name.empty() || name == "auto") {
    notes.derive("no key gives a type of weights (torch_dtype): bf16");
    return {};
  }
  const auto stored = stored_type(name);
  if (!stored || stored->bytes < 2) {
    notes.doubt(
        fmt::format("'torch_dtype' of '{}' is not known; unquantised weights are taken as bf16", name));
    return {};
  }
  return *stored;
}

Quantization read_quantization(const ConfigLevel& outer, const ConfigLevel& inner, const ModelFiles& files,
                               const std::optional<ConfigObject>& own) {
  ReadingNotes& notes = outer.notes();
  Quantization quantization(activation_type(outer, inner, notes));
  std::optional<ConfigLevel> level;
  if (own) {
    const ConfigLevel file(*own, files.origin, "hf_quant_config.json: ", notes);
    level = file.level("quantization") ? file.level("quantization") : file;
  }
  if (!level || !level->has("quant_algo")) {
    for (const ConfigLevel& place : {inner, outer}) {
      for (const char* key : {"quantization_config", "compression_config"})
        if (!level && place.has(key)) level = place.level(key);
      if (place.has("quantization_config") && !place.level("quantization_config"))
        notes.doubt("'quantization_config' is no object");
    }
  }
  const auto mlx = outer.level("quantization");
  if (mlx && mlx->has("bits") && (!level || !level->has("quant_method")))
    quantization.read_mlx(*mlx);
  else if (level)
    quantization.read(*level);
  const std::string experts = inner.text({"expert_dtype"});
  if (const auto stored = stored_type(experts))
    quantization.set_experts(*stored);
  else if (!experts.empty())
    notes.doubt(fmt::format("'expert_dtype' of '{}' isn't known", experts));
  return quantization;
}

void group_layers(const std::vector<LayerGroup>& layers, std::vector<LayerGroup>& groups) {
  for (const LayerGroup& layer : layers) {
    const auto alike = std::ranges::find_if(groups, [&](LayerGroup group) {
      group.layers = layer.layers;
      return group == layer;
    });
    if (alike == groups.end())
      groups.push_back(layer);
    else
      ++alike->layers;
  }
}

bool read_tied(const ModelText& model) {
  for (const ConfigLevel& level : {model.inner, model.outer})
    if (const auto tied = level.flag("tie_word_embeddings")) return *tied;
  model.notes().derive(fmt::format("{} and head are {} (no key says; {})", "embedding",
                                   model.family.tied ? "one matrix" : "two matrices",
                                   model.known() ? model.family.name : "as most decoders"));
  return model.family.tied;
}

void add_vocabulary(const ModelText& model, ModelFacts& facts) {
  facts.vocabulary = model.inner.need({"vocab_size", "padded_vocab_size"}, kVocabularyCount);
  facts.head_vocabulary = facts.vocabulary;
  facts.tied = read_tied(model);
  const double numbers = facts.vocabulary * model.hidden;
  facts.embedding = weights_of(numbers, model.quantization.embedding());
  facts.head = weights_of(numbers, facts.tied ? model.quantization.embedding() : model.quantization.head());
}

void add_sums(const ModelText& model, ModelFacts& facts) {
  Weights text = facts.embedding;
  Weights active = facts.embedding;
  const Weights rest = model.plain(model.hidden);  // the last norm
  for (Weights* sum : {&text, &active}) {
    if (!facts.tied) *sum += facts.head;
    *sum += rest;
  }
  if (model.family.positions)
    text += model.plain(model.inner.count_or({"n_positions", "n_ctx"}, 0) * model.hidden);
  for (const LayerGroup& group : facts.groups) {
    const Weights all = group.total();
    const Weights one = group.active();
    text += {group.layers * all.parameters, group.layers * all.bytes, all.format};
    active += {group.layers * one.parameters, group.layers * one.bytes, one.format};
  }
  if (facts.is_draft) text += facts.draft_projection;
  facts.parameters = text.parameters;
  facts.active_parameters = active.parameters;
  facts.counted_bytes = text.bytes + facts.other.bytes;
  if (facts.is_draft) return;
  facts.counted_bytes += facts.draft_projection.bytes + facts.draft.layers * facts.draft.total().bytes;
}

void drop_draft(ModelFacts& facts, ReadingNotes& notes) {
  if (facts.draft.layers == 0) return;
  notes.derive("the index of weight files has no MTP layers: none are counted");
  facts.counted_bytes -= facts.draft_projection.bytes + facts.draft.layers * facts.draft.total().bytes;
  facts.draft = {};
  facts.draft_projection = {};
}

void use_index(const ModelFiles& files, int layers, ModelFacts& facts, ReadingNotes& notes) {
  facts.weight_bytes = facts.counted_bytes;
  if (files.index.empty()) {
    notes.derive("weight bytes are counted: there is no index of weight files");
    return;
  }
  const WeightIndex index = read_weight_index(files.index, "model.safetensors.index.json", layers, notes);
  if (index.listed && !index.draft && !facts.is_draft) drop_draft(facts, notes);
  if (!index.total_size) return;
  facts.weight_bytes = *index.total_size;
  facts.weight_bytes_measured = true;
  notes.use("metadata.total_size");
  const double apart = facts.counted_bytes / facts.weight_bytes - 1;
  if (std::abs(apart) > kAgreement) {
    notes.doubt(
        fmt::format("the files hold {:.4g} GB of weights, and what the configuration describes has {:.4g} "
                    "({:+.0f} %): part of the model isn't understood",
                    facts.weight_bytes / 1e9, facts.counted_bytes / 1e9, apart * 100));
  }
}

// Keys that turn a known family into something that isn't counted.
void doubt_variants(const ModelText& model) {
  const ConfigLevel& inner = model.inner;
  for (const char* key : {"num_kv_shared_layers", "hidden_size_per_layer_input"}) {
    if (inner.count_or({key}, 0) > 0) model.notes().doubt(fmt::format("'{}' isn't counted", key));
  }
  if (inner.has("enable_moe_block")) inner.flag("enable_moe_block");
  if (inner.flag("use_double_wide_mlp").value_or(false))
    model.notes().doubt("'use_double_wide_mlp' isn't counted");
}

std::string size_origin(const ConfigLevel& outer, const std::string& architecture, bool known,
                        const char* key) {
  if (architecture.empty()) return fmt::format("{}: '{}' is missing", outer.origin(), key);
  if (known) return fmt::format("{}: '{}' is missing, which a {} has", outer.origin(), key, architecture);
  return fmt::format("{}: unknown architecture '{}'{}: it has no '{}'", outer.origin(), architecture,
                     nearest_architecture(architecture), key);
}

double size(const ConfigLevel& outer, const ConfigLevel& inner, const Identity& model,
            std::initializer_list<const char*> names, const CountLimits& limits) {
  if (const auto value = inner.count(names, limits)) return *value;
  throw UsageError(size_origin(outer, model.architecture, !model.family.name.empty(), *names.begin()));
}

int layer_count(const ConfigLevel& outer, const ConfigLevel& inner, const Identity& model) {
  if (!inner.has("num_hidden_layers") && inner.has("layers_block_type")) {
    const auto kinds = inner.texts("layers_block_type");
    if (kinds && !kinds->empty() && static_cast<double>(kinds->size()) <= kLayerCount.most) {
      inner.notes().derive(
          fmt::format("num_hidden_layers = {}, the entries of layers_block_type", kinds->size()));
      return static_cast<int>(kinds->size());
    }
  }
  return static_cast<int>(
      size(outer, inner, model, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, kLayerCount));
}

}  // namespace

Weights weights_of(double parameters, const StoredAs& stored) {
  return {parameters, parameters * stored.bytes, stored.format};
}

Weights ModelText::plain(double parameters) const {
  return weights_of(parameters, quantization.unquantized());
}

Weights ModelText::matrix(const MatrixName& name, double parameters) const {
  return weights_of(parameters, quantization.matrix(name));
}

ModelFacts read_model_facts(const ModelFiles& files) {
  ReadingNotes notes;
  const ConfigObject root = parse_config_object(files.config, files.origin);
  const ConfigLevel outer(root, files.origin, "", notes);
  const ConfigLevel inner = text_level(outer);
  std::optional<ConfigObject> own;
  if (!files.quantization.empty()) own = parse_config_object(files.quantization, "hf_quant_config.json");
  const Identity identity = identify(outer, inner);
  ModelText model{outer, inner, identity.family, read_quantization(outer, inner, files, own)};
  model.layers = layer_count(outer, inner, identity);
  model.hidden = size(outer, inner, identity, {"hidden_size", "n_embd", "n_embed", "d_model"}, kCount);

  ModelFacts facts;
  facts.name = identity.name;
  facts.architecture = identity.architecture;
  facts.source = files.origin;
  facts.is_draft = identity.draft;
  facts.hidden = static_cast<int>(model.hidden);
  facts.activations = model.quantization.unquantized().format;
  facts.kv_number_bytes =
      model.quantization.kv_number_bytes().value_or(model.quantization.unquantized().bytes);
  add_vocabulary(model, facts);
  if (facts.is_draft) {
    add_separate_draft(model, facts);
  } else {
    const std::vector<LayerPlan> plan = plan_layers(model);
    std::vector<LayerGroup> layers;
    for (int i = 0; i < model.layers; ++i)
      layers.push_back(make_layer(model, plan[static_cast<std::size_t>(i)], {.layer = i}));
    group_layers(layers, facts.groups);
    add_draft_layers(model, plan, facts);
    facts.other = encoder_weights(model);
  }
  doubt_variants(model);
  doubt_unread_keys(model);
  add_sums(model, facts);
  use_index(files, model.layers, facts, notes);
  facts.used = std::move(notes.used);
  facts.not_understood = std::move(notes.not_understood);
  facts.derived = std::move(notes.derived);
  return facts;
}

}  // namespace ringside
