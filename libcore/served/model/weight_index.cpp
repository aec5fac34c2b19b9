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
  const double size = root["metadata"]["total_size"].number();
  if (size > 0 && size <= kMostBytes) index.total_size = size;
  if (!index.total_size) notes.doubt("the index of weight files has no usable 'metadata.total_size'");
  const ConfigObject::Members& map = root["weight_map"].members();
  if (map.empty()) return index;
  index.listed = true;
  for (const auto& item : map) {
    const std::string& name = item.name;
    if (name.ends_with("lm_head.weight")) index.head = true;
    if (name.find("mtp") != std::string::npos || (layer_of(name) >= layers && !is_vision(name)))
      index.draft = true;
  }
  return index;
}

}  // namespace ringside
