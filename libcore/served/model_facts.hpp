#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// What a layer keeps of the tokens before, and how it looks at them.
enum class AttentionKind {
  full,           // keys and values of all tokens (multi-head or grouped queries)
  sliding,        // of the last `window` tokens, or of a chunk of so many
  sparse,         // of all tokens; a step reads `read_tokens` of them, chosen by an indexer
  latent,         // one latent of kv_rank + rope_size numbers for all heads (MLA)
  sparse_latent,  // latent, with an indexer (DeepSeek sparse attention)
  compressed,     // one entry for several tokens (DeepSeek-V4), beside a window
  linear,         // a state of fixed size for each sequence (gated delta rule, Mamba-2), no keys and values
  none,           // the layer has no attention (layers that alternate with feed-forward layers)
  unknown         // 'not_understood' says why; nothing of it is counted
};

std::string_view to_string(AttentionKind kind);

// How weights are stored.
enum class WeightFormat { fp32, bf16, fp16, fp8, fp8_block, mxfp8, int8, int4, nvfp4, mxfp4 };

std::string_view to_string(WeightFormat format);

// Bytes of one number without its scales.
double number_bytes(WeightFormat format);

// Matrices that a layer reads together.
struct Weights {
  double parameters = 0;                     // numbers, biases and norms among them; scales are none
  double bytes = 0;                          // with scales
  WeightFormat format = WeightFormat::bf16;  // of most of them

  Weights& operator+=(const Weights& other);  // keeps its own format unless it was empty
  bool operator==(const Weights&) const = default;
};

// Layers that are alike. Sizes are numbers of one layer; 0: the layer has none.
struct LayerGroup {
  int layers = 0;
  AttentionKind attention = AttentionKind::full;
  int heads = 0;           // of queries; of a linear layer: of values
  int kv_heads = 0;        // latent: 1, which every tensor-parallel rank has; of a linear layer: of keys
  int head_size = 0;       // of a key; latent: with its position part
  int value_size = 0;      // of a value
  int window = 0;          // tokens that a sliding layer keeps
  int kv_rank = 0;         // latent
  int rope_size = 0;       // latent: of the position part that all heads share
  int q_rank = 0;          // latent: 0 where queries aren't compressed
  int read_tokens = 0;     // sparse: that a step reads at most; 0: all
  double kv_numbers = 0;   // kept of a token (an indexer's keys are in index_bytes)
  double index_bytes = 0;  // kept of a token for the indexer, in the server's own format
  double state_bytes = 0;  // kept of a sequence (linear), in the configured or the usual formats
  bool experts = false;
  int routed = 0;               // experts of a layer
  int per_token = 0;            // of them
  int shared = 0;               // experts that every token takes
  int expert_hidden = 0;        // rows that a routed expert takes: hidden, or a narrower latent
  int expert_intermediate = 0;  // of one routed expert
  int shared_intermediate = 0;  // of all shared experts together
  int dense_intermediate = 0;   // of a dense feed-forward part (beside experts in a few families)
  bool gated = true;            // three matrices in a feed-forward part; else two
  Weights attention_weights;    // linear layers: all that stands in the place of attention
  Weights dense_weights;
  Weights shared_weights;  // all shared experts together, with their gate and a latent's two matrices
  Weights expert_weights;  // of one routed expert
  Weights router_weights;
  Weights norm_weights;

  // Of one layer, all routed experts; those that one token takes.
  Weights total() const;
  Weights active() const;

  bool operator==(const LayerGroup&) const = default;
};

// What config.json, the quantisation's description and the index of the weight files say of a model.
struct ModelFacts {
  std::string name;          // the architecture, or the model type; "model" where neither is said
  std::string architecture;  // the first of 'architectures'; empty: not said
  std::string source;        // the file that messages name
  bool is_draft = false;  // a separate draft (EAGLE, MTP in files of its own): it runs on a target's states
  int hidden = 0;
  double vocabulary = 0;           // rows of the embedding
  double head_vocabulary = 0;      // rows of the head; smaller for a draft with its own vocabulary
  bool tied = false;               // the head is the embedding, counted once
  Weights embedding;               // a step reads a row for each token
  Weights head;                    // a step reads all of it, tied too; not counted twice
  std::vector<LayerGroup> groups;  // all layers of the text model, without the draft's
  LayerGroup draft;                // MTP layers in the same files; layers 0: none
  Weights draft_projection;        // what they read beside, once for all: projections, norms, own embeddings
  Weights other;                   // encoders of images and sound and what connects them
  double parameters = 0;           // text model with embeddings, without draft and other
  double active_parameters = 0;    // that one token takes, both vocabulary matrices among them
  double weight_bytes = 0;  // of all ranks together: text, draft and other. The index's total_size where
                            // there is one, else counted
  bool weight_bytes_measured = false;  // from the index
  double counted_bytes = 0;            // counted from the configuration, also where there is an index
  WeightFormat activations = WeightFormat::bf16;  // what is sent between ranks
  double kv_number_bytes = 2;  // of a key or a value in the pool, as the configuration says (KV cache scheme)
  std::vector<std::string> used;            // keys that a number here depends on: "text_config.hidden_size"
  std::vector<std::string> not_understood;  // what changes memory or work and wasn't understood, a sentence
                                            // each; anything here: no firm answer
  std::vector<std::string> derived;  // a number that no key says, with how: "head_dim = 4096 / 32 = 128"

  int layers() const;  // of all groups
  // Bytes that a token adds to a sequence's cache for good: layers that keep every token. `number_bytes` is
  // of a key or a value.
  double kv_bytes(double number_bytes) const;
  // Bytes that it adds to layers with a window, as long as the window isn't full.
  double window_bytes(double number_bytes) const;
  // Bytes of a sequence's cache at so many tokens: kept tokens, windows and states.
  double sequence_bytes(double context, double number_bytes) const;
  double state_bytes() const;  // of a sequence, all linear layers
  bool understood() const { return not_understood.empty(); }
};

// Texts of a model's files; empty: there is none.
struct ModelFiles {
  std::string origin = "config.json";  // names it in messages
  std::string config;                  // config.json
  std::string quantization;            // hf_quant_config.json (ModelOpt), or a quantize_config.json
  std::string index;                   // model.safetensors.index.json
};

// The files of a model's folder, or of the config.json at `path` with its neighbours. Throws UsageError for
// one that can't be read.
ModelFiles load_model_files(const std::string& path);

// Reads them. What can't be counted for sure is said in not_understood. Throws UsageError, with the key,
// where a text is no JSON object, the model is no decoder that generates text, or a size that everything
// depends on is missing or can't be.
ModelFacts read_model_facts(const ModelFiles& files);

}  // namespace ringside
