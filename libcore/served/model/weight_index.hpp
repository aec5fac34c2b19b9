#pragma once

#include <optional>
#include <string>

#include "served/model/config_tree.hpp"

namespace ringside {

// What an index of safetensors files says (model.safetensors.index.json).
struct WeightIndex {
  std::optional<double> total_size;  // bytes of all tensors
  bool listed = false;               // it names the tensors, so what follows is known
  bool head = false;                 // an lm_head
  bool draft = false;                // MTP layers: "mtp." or layers beyond the model's last
};

// Reads it, for a model of so many layers. Doubts are noted. Throws UsageError for a text that is no JSON
// object.
WeightIndex read_weight_index(const std::string& text, const std::string& origin, int layers,
                              ReadingNotes& notes);

}  // namespace ringside
