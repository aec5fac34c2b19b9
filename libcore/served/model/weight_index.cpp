#include "served/model/weight_index.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ringside {
namespace {

constexpr double kMostBytes = 1e16;

// Of "model.layers.61.mlp.up_proj.weight": 61; -1: names no layer.
int layer_of(const std::string& name) {
  constexpr std::string_view kLayers = "layers.";
  const std::size_t at = name.find(kLayers);
  if (at == std::string::npos) return -1;
  int number = -1;
  const char* begin = name.data() + at + kLayers.size();
  std::from_chars(begin, name.data() + name.size(), number);
  return number;
}

bool is_vision(const std::string& name) {
  return name.find("vis") != std::string::npos || name.find("encoder") != std::string::npos ||
         name.find("audio") != std::string::npos;
}

}  // namespace

WeightIndex read_weight_index(const std::string& text, const std::string& origin, int layers,
                              ReadingNotes& notes) {
  WeightIndex index;
  const ConfigObject root = parse_config_object(text, origin);
  const auto metadata = root.find("metadata");
  if (metadata != root.end() && metadata->is_object()) {
    const auto size = metadata->find("total_size");
    if (size != metadata->end() && size->is_number() && size->get<double>() > 0 &&
        size->get<double>() <= kMostBytes)
      index.total_size = size->get<double>();
  }
  if (!index.total_size) notes.doubt("the index of weight files has no usable 'metadata.total_size'");
  const auto map = root.find("weight_map");
  if (map == root.end() || !map->is_object() || map->empty()) return index;
  index.listed = true;
  for (const auto& item : map->items()) {
    const std::string& name = item.key();
    if (name.ends_with("lm_head.weight")) index.head = true;
    if (name.find("mtp") != std::string::npos || (layer_of(name) >= layers && !is_vision(name)))
      index.draft = true;
  }
  return index;
}

}  // namespace ringside
