#pragma once

#include <string>
#include <vector>

namespace ringside {

// Which layers have a window, where the configuration gives its size and no list of layers.
enum class WindowRule {
  none,          // the family has no windows: the key must not change anything
  all,           // every layer
  first_of_two,  // layers 0, 2, 4, ...
  pattern,       // all but each n-th, n by 'sliding_window_pattern'
  from_layer     // with 'use_sliding_window', those from 'max_window_layers' on
};

// Whether the usual weight files of a family hold its MTP layers.
enum class DraftFiles { none, layers, layers_with_vocabulary };

// What the code of a family decides and no key says. Each was read in the family's public model code
// (transformers, or the repository of the model) and is checked against the totals of published files
// (tests/data/models).
struct ModelFamily {
  std::string name;
  std::vector<std::string> architectures;
  std::vector<std::string> model_types;
  bool tied = false;            // where 'tie_word_embeddings' is absent
  bool gated = true;            // three matrices in a feed-forward part
  bool attention_bias = false;  // of queries, keys and values, where no key says
  bool output_bias = false;     // of the attention's output and of the feed-forward part
  int norms = 2;                // of a layer, hidden numbers each
  bool norm_bias = false;
  bool expert_bias = false;
  WindowRule window = WindowRule::none;
  bool expert_is_intermediate = false;  // an expert's size is 'intermediate_size'
  bool one_shared_expert = false;       // always, without a key
  bool shared_gate = false;             // a gate of hidden numbers before the shared expert
  bool dense_beside_experts = false;    // a dense part in the layers with experts too
  bool query_gate = false;              // of each query head, without a key
  bool positions = false;               // learned position embeddings
  DraftFiles draft = DraftFiles::layers;
  bool draft_windowed = false;    // MTP layers are dense, with a window
  std::string routed_names = {};  // of the experts' matrices in a layer; empty: the usual ones
};

// The family of an architecture, else of a model type; nullptr: none is known.
const ModelFamily* find_family(const std::string& architecture, const std::string& model_type);
const ModelFamily* find_family_of_type(const std::string& model_type);
const ModelFamily* find_family_of_architecture(const std::string& architecture);

// A separate draft, by its architecture: LlamaForCausalLMEagle3, EagleLlamaForCausalLM, ...
bool is_draft_architecture(const std::string& architecture);

// By its name a decoder that generates text.
bool is_decoder_name(const std::string& architecture);

// " (did you mean 'LlamaForCausalLM'?)", or "" when no known name is near.
std::string nearest_architecture(const std::string& name);

}  // namespace ringside
