#include "served/model/encoders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace ringside {
namespace {

// Matrices and biases of an encoder of patches. Sizes are numbers.
struct Tower {
  double layers = 0;
  double hidden = 0;
  double attention = 0;  // heads x size of a head
  double intermediate = 0;
  double matrices = 2;  // of a feed-forward part

  double parameters() const {
    return layers * (4 * hidden * attention + matrices * hidden * intermediate + 9 * hidden + intermediate);
  }
};

double patch_numbers(const ConfigLevel& vision, double patch) {
  const double channels = vision.count_or({"in_channels", "num_channels", "in_chans"}, 3, kCount);
  return channels * patch * patch * vision.count_or({"temporal_patch_size"}, 1, kCount);
}

double image_positions(const ConfigLevel& vision, double patch) {
  const double side = vision.count_or({"image_size"}, 0) / patch;
  return side * side;
}

// Qwen's: merged patches go through two matrices; some layers of Qwen3-VL have a merger of their own.
double qwen_vision(const ConfigLevel& vision, const std::string& type) {
  const double hidden =
      type == "qwen2_vl" ? vision.count_or({"embed_dim"}, 1280, kCount) : vision.need({"hidden_size"});
  const double ratio = vision.count_or({"mlp_ratio"}, 4, kCount);
  const double merge = vision.count_or({"spatial_merge_size"}, 2, kCount);
  const double patch = vision.need({"patch_size"});
  Tower tower{.layers = vision.need({"depth"}), .hidden = hidden, .attention = hidden};
  tower.intermediate = vision.count_or({"intermediate_size"}, ratio * hidden, kCount);
  if (type == "qwen2_5_vl") tower.matrices = 3;
  const double merged = hidden * merge * merge;
  const double output = type == "qwen2_vl" ? vision.need({"hidden_size"}) : vision.need({"out_hidden_size"});
  const auto deep =
      vision.has("deepstack_visual_indexes") ? vision.numbers("deepstack_visual_indexes") : std::nullopt;
  const double mergers = 1 + (deep ? static_cast<double>(deep->size()) : 0);
  return tower.parameters() + patch_numbers(vision, patch) * hidden +
         vision.count_or({"num_position_embeddings"}, 0) * hidden +
         mergers * (merged * merged + merged * output);
}

// SigLIP and its like, with one matrix to the text model.
double plain_vision(const ConfigLevel& vision, double text_hidden) {
  const double hidden = vision.need({"hidden_size"});
  const double patch = vision.need({"patch_size"});
  const Tower tower{.layers = vision.need({"num_hidden_layers"}),
                    .hidden = hidden,
                    .attention = hidden,
                    .intermediate = vision.need({"intermediate_size"})};
  return tower.parameters() + (patch_numbers(vision, patch) + image_positions(vision, patch)) * hidden +
         hidden * text_hidden;
}

// Pixtral (Mistral 3): gated, with a merger of patches and two matrices to the text model.
double pixtral_vision(const ConfigLevel& vision, const ConfigLevel& outer, double text_hidden) {
  const double hidden = vision.need({"hidden_size"});
  const double merge = outer.count_or({"spatial_merge_size"}, 2, kCount);
  const Tower tower{.layers = vision.need({"num_hidden_layers"}),
                    .hidden = hidden,
                    .attention = hidden,
                    .intermediate = vision.need({"intermediate_size"}),
                    .matrices = 3};
  return tower.parameters() + patch_numbers(vision, vision.need({"patch_size"})) * hidden +
         merge * merge * hidden * hidden + hidden * text_hidden + text_hidden * text_hidden;
}

// MoonViT (Kimi): learned positions on a grid, four patches merged, two matrices to the text model.
double moon_vision(const ConfigLevel& vision, double text_hidden) {
  const double hidden = vision.need({"vt_hidden_size", "hidden_size"});
  const double patch = vision.need({"patch_size"});
  const Tower tower{.layers = vision.need({"vt_num_hidden_layers", "num_hidden_layers"}),
                    .hidden = hidden,
                    .attention = hidden,
                    .intermediate = vision.need({"vt_intermediate_size", "intermediate_size"})};
  const double positions =
      vision.count_or({"init_pos_emb_height"}, 64) * vision.count_or({"init_pos_emb_width"}, 64);
  const double merged = 4 * hidden;
  return tower.parameters() + (patch_numbers(vision, patch) + positions) * hidden + merged * merged +
         merged * text_hidden;
}

// Gemma 4: gated, positions for both axes, one matrix to the text model.
double gemma4_vision(const ConfigLevel& vision, double text_hidden) {
  const double hidden = vision.need({"hidden_size"});
  const Tower tower{.layers = vision.need({"num_hidden_layers"}),
                    .hidden = hidden,
                    .attention = vision.need({"num_attention_heads"}) * vision.need({"head_dim"}),
                    .intermediate = vision.need({"intermediate_size"}),
                    .matrices = 3};
  const double positions = 2 * vision.count_or({"position_embedding_size"}, 0);
  return tower.parameters() + (patch_numbers(vision, vision.need({"patch_size"})) + positions) * hidden +
         hidden * text_hidden;
}

std::optional<double> vision_parameters(const ModelText& model, const ConfigLevel& vision) {
  const std::string type = vision.text({"model_type"});
  const std::string outer = model.outer.text({"model_type"});
  if (type.starts_with("qwen2_vl") || outer == "qwen2_vl") return qwen_vision(vision, "qwen2_vl");
  if (type.starts_with("qwen2_5_vl") || outer == "qwen2_5_vl") return qwen_vision(vision, "qwen2_5_vl");
  if (type.starts_with("qwen3_vl") || type.starts_with("qwen3_5")) return qwen_vision(vision, "qwen3_vl");
  if (type == "siglip_vision_model") return plain_vision(vision, model.hidden);
  if (type == "pixtral") return pixtral_vision(vision, model.outer, model.hidden);
  if (type == "gemma4_vision") return gemma4_vision(vision, model.hidden);
  if (type == "moonvit" || outer == "kimi_k25" || outer == "kimi_vl")
    return moon_vision(vision, model.hidden);
  return std::nullopt;
}

}  // namespace

Weights encoder_weights(const ModelText& model) {
  Weights weights;
  for (const char* key : {"audio_config", "speech_config", "vision_tower_config", "visual_config"}) {
    if (model.outer.level(key))
      model.notes().doubt(
          fmt::format("'{}' describes an encoder that isn't known: its weights aren't counted", key));
  }
  for (const char* key : {"vision_config", "visual"}) {
    const auto vision = model.outer.level(key);
    if (!vision || vision->object().members().empty()) continue;
    std::optional<double> parameters;
    try {
      parameters = vision_parameters(model, *vision);
    } catch (const UsageError& problem) {
      model.notes().doubt(fmt::format("{} ('{}')", problem.what(), key));
    }
    if (!parameters) {
      model.notes().doubt(fmt::format("'{}' of type '{}' isn't known: its weights aren't counted", key,
                                      vision->text({"model_type"})));
      continue;
    }
    weights += model.plain(*parameters);
    model.notes().derive(
        fmt::format("the encoder of images has {:.3g} million numbers ({})", *parameters / 1e6, key));
  }
  return weights;
}

}  // namespace ringside
