#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/row.hpp"

namespace ringside {

// One number that a scenario, a log or a model gave to run-spec, with its mark.
struct SpecInput {
  std::string key;  // "acceptance.length"
  double value = 0;
  std::string unit;  // "tokens", "ms", ...; empty: a count
  std::optional<Interval> range;
  Origin origin = Origin::assumed;
  std::string source;  // where it comes from; may be empty
};

// One way to run the model: an allreduce strategy, or one beside an all-to-all for the experts.
struct SpecCandidate {
  std::string strategy;  // "custom-push", or "custom-push + nccl-alltoall"
  std::string layout;    // "tp" or "tp+ep"
  Mode mode = Mode::graph;
  Origin origin = Origin::modelled;  // of the communication times
  double call_ns = 0;                // one allreduce of the verify pass
  double plain_call_ns = 0;          // one of a plain decode step
  double communication_ns = 0;       // exposed, in a speculative step: verify and draft
  double verify_ns = 0;              // the verify pass with its communication
  double step_ns = 0;                // the whole speculative step: draft steps and verify pass
  double plain_step_ns = 0;          // a plain decode step
  double tokens_s = 0;               // with speculation, all sequences of the batch
  double plain_tokens_s = 0;         // without
  double break_even_length = 0;      // acceptance length from which speculation is faster than the plain step
  std::optional<double>
      break_even_call_ns;     // an allreduce of the verify pass may take so long; absent: none is fast enough
  int best_draft_tokens = 1;  // 1: no speculation
  double best_tokens_s = 0;
  double tokens_s_per_us = 0;  // gained when each call takes 1 us less

  double share() const { return step_ns > 0 ? communication_ns / step_ns : 0; }
  double against_plain() const { return plain_tokens_s > 0 ? tokens_s / plain_tokens_s : 0; }
};

struct SpecCurve {
  std::string candidate;  // SpecCandidate::strategy
  std::string mode;
  std::string x;  // what is varied, with its unit: "draft_tokens", "acceptance_length", "call_us"
  std::string y;  // "tokens_s"
  std::vector<std::pair<double, double>> points;
};

// What a layout takes of each GPU's memory.
struct SpecMemory {
  std::string layout;
  double weights_bytes = 0;
  double free_bytes = 0;     // after weights, context and workspaces
  double kv_pool_bytes = 0;  // what the memory fraction leaves for the pool; below 0: it does not come up
  std::optional<double> kv_tokens;
  double least_fraction = 0;  // the memory fraction below which there is no room for a pool
  Origin origin = Origin::modelled;
};

// A quantity that nobody reported, and what it would have to be for the reported throughput.
struct SpecExplanation {
  std::string quantity;
  std::string unit;
  double value = 0;
  std::optional<Interval> range;
  bool possible = true;  // the range holds values that can be
  std::string note;
};

// A step that was replayed whole: its collectives in one graph, or launched one by one.
struct SpecReplay {
  std::string step;       // "verify", "plain", "draft"
  std::string candidate;  // SpecCandidate::strategy
  Mode mode = Mode::graph;
  int calls = 0;                     // collectives in it
  double compute_ns = 0;             // idle time between the calls, altogether
  double skew_ns = 0;                // how much later the last rank comes to each call
  Statistics time;                   // of the step, slowest rank
  std::optional<double> alone_ns;    // the same step without its collectives
  std::optional<double> exposed_ns;  // what the collectives add
};

struct SpecResult {
  std::string scenario;
  std::string title;
  std::string model;
  std::string machine;  // profile that stands behind what is modelled
  int allreduces = 0;   // in a forward pass
  Bytes verify_message;
  Bytes plain_message;
  std::vector<SpecInput> inputs;
  std::vector<SpecCandidate> candidates;
  std::vector<SpecReplay> replays;
  std::vector<SpecMemory> memory;
  std::vector<SpecExplanation> explanations;
  std::vector<std::string> decides;  // what decides, one sentence each
  std::string recommendation;        // one sentence; begins with "tie" when it can't be decided
  std::string confidence;            // what it rests on
  std::vector<SpecCurve> curves;
};

}  // namespace ringside
