#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "scenario/catalogue.hpp"
#include "spec/quantity.hpp"

namespace ringside {

// The part of a model that communication, weights and reading them depend on. Parameters are counts of
// numbers, bits are what one takes in memory.
struct ModelShape {
  std::string name;
  Origin origin = Origin::assumed;
  std::string source;
  int layers = 0;
  int moe_layers = 0;  // of the layers
  int hidden = 0;
  int experts = 0;  // routed, in a layer
  int top_k = 0;
  int shared_experts = 0;
  int expert_intermediate = 0;
  int dense_intermediate = 0;       // of layers without experts
  double attention_parameters = 0;  // of one layer
  int heads = 0;                    // of queries; 0: not known
  int head_size = 0;
  int kv_rank = 0;    // of a latent that all heads share (MLA); 0: the layers have keys and values
  int rope_size = 0;  // of the latent's position part
  double vocabulary = 0;
  DType dtype = DType::bf16;  // of activations on the wire
  double expert_bits = 16;
  double other_bits = 16;
  double kv_bytes = 0;  // of one token, all layers and heads; 0: not known
  int kv_heads = 0;     // that ranks share the KV of a token by; 0: each has all of it (latent attention)
  int allreduces = 0;   // of a forward pass under tensor parallelism

  bool operator==(const ModelShape&) const = default;
};

struct ParallelLayout {
  int tp = 1;
  int ep = 1;            // GPUs of expert parallelism; divides tp
  bool experts = false;  // the question is of a server with expert parallelism; else that is compared with it
  bool alltoall = false;  // with expert parallelism: dispatch and combine in place of an allreduce
  bool dp_attention = false;

  bool operator==(const ParallelLayout&) const = default;
};

struct SpeculationShape {
  std::string algorithm;
  int steps = 1;         // draft steps, so levels
  int top_k = 1;         // candidates of a level
  int draft_tokens = 2;  // of a sequence that the verify pass looks at, the root among them
  int batch = 1;         // sequences
  int draft_layers = 1;
  int draft_allreduces = 2;  // of one draft step

  int verify_tokens() const { return batch * draft_tokens; }
  int drafts() const { return top_k == 1 ? draft_tokens - 1 : steps; }  // levels
};

// Source of an acceptance that somebody typed.
inline constexpr const char* kTypedAcceptance = "--acceptance";

// What a server said of acceptance: exactly one of them, or nothing.
struct AcceptanceInput {
  std::optional<Quantity> length;        // tokens a step, the verify pass's own among them
  std::optional<Quantity> rate;          // of each level, given the ones before
  std::vector<double> rates;             // shares of drafts, by level
  std::optional<Interval> rates_length;  // the lengths that such shares may stand for
  Origin rates_origin = Origin::assumed;
  std::string rates_source;
};

struct ExpertTraffic {
  bool fp8_dispatch = false;
  std::vector<double> load;  // share of the tokens that each rank's experts get; empty: even
};

struct MemoryInput {
  std::optional<Quantity> fraction;       // mem-fraction-static: of the GPU, for weights and pool
  std::optional<Quantity> context_gib;    // what CUDA, NCCL and the server take of each GPU
  std::optional<Quantity> workspace_gib;  // what the all-to-all takes
};

struct Observed {
  struct Other {
    std::string name;
    Quantity tokens_s;
  };
  std::optional<Quantity> plain_tokens_s;
  std::optional<Quantity> spec_tokens_s;
  std::optional<Quantity> verify_communication_ms;
  std::optional<Quantity> free_tp_gib;  // after weights
  std::optional<Quantity> free_ep_gib;
  std::vector<Other> others;
};

// scenarios/specs/*.toml; keys are explained in scenarios/specs/template.toml.
struct SpecScenario {
  std::string name;
  std::string title;
  std::string machine;  // profile that stands behind what is modelled
  ModelShape model;
  ParallelLayout parallel;
  SpeculationShape speculation;
  AcceptanceInput acceptance;
  ExpertTraffic traffic;
  MemoryInput memory;
  Observed observed;
  double context = 1024;  // tokens of a sequence that attention reads
};

// A message of `tokens` rows of the model's activations. Throws UsageError when it is larger than any that
// can be sent (1 TiB).
Bytes message_bytes(const ModelShape& model, std::int64_t tokens);

// Reads a scenario, after "--set" overrides; with `model`, that takes the place of its [model], under the
// overrides too. Throws UsageError with the place.
SpecScenario read_spec_scenario(const ScenarioText& text, const std::vector<std::string>& overrides = {},
                                const std::optional<ModelShape>& model = {});

// The text of the scenario with this name in the binary, or in this file, which may be a pipe: it is read
// once.
ScenarioText find_spec_text(const std::string& name_or_file);

// The scenario with this name in the binary, or in this file.
SpecScenario find_spec_scenario(const std::string& name_or_file,
                                const std::vector<std::string>& overrides = {},
                                const std::optional<ModelShape>& model = {});

std::vector<SpecScenario> list_spec_scenarios();

// Throws UsageError for what can't be: ranks or experts that don't divide by the expert parallelism, more
// draft tokens than a tree has, messages beyond all sizes.
void check_spec_scenario(const SpecScenario& scenario);

}  // namespace ringside
