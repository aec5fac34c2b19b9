#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/row.hpp"
#include "model/spec_estimate.hpp"

namespace ringside {

// One number that a scenario, a log or a model gave to run-spec, with its mark.
struct SpecInput {
  std::string key;
  double value = 0;
  std::string unit;
  std::optional<Interval> range;
  Origin origin = Origin::assumed;
  std::string source;
};

template <typename Fields>
void describe(Fields& fields, const SpecInput*) {
  fields.record("spec_input", "A number that a scenario, a log or a model gave, with its mark.");
  fields.add("key", &SpecInput::key, "Its place in the scenario, such as 'acceptance.length'.");
  fields.add("value", &SpecInput::value, "In its unit.", ranges::kNumber);
  fields.add("unit", &SpecInput::unit, "'tokens', 'ms', ...; empty: a count.");
  fields.add("range", &SpecInput::range, "What it may be.", ranges::kNumber);
  fields.add("origin", &SpecInput::origin, "Where it comes from.");
  fields.add("source", &SpecInput::source, "Where it comes from, in words; may be empty.");
}

// One way to run the model: an allreduce strategy, or one beside an all-to-all for the experts.
struct SpecCandidate {
  std::string strategy;
  std::string layout;
  Mode mode = Mode::graph;
  Origin origin = Origin::modelled;
  double call_ns = 0;
  double plain_call_ns = 0;
  double communication_ns = 0;
  double verify_ns = 0;
  double step_ns = 0;
  double plain_step_ns = 0;
  std::optional<double> tokens_s;
  double plain_tokens_s = 0;
  double break_even_length = 0;
  std::optional<double> break_even_call_ns;
  std::optional<int> best_draft_tokens;
  std::optional<double> best_tokens_s;
  std::optional<double> tokens_s_per_us;

  double share() const { return step_ns > 0 ? communication_ns / step_ns : 0; }
  std::optional<double> against_plain() const {
    if (!tokens_s || plain_tokens_s <= 0) return std::nullopt;
    return *tokens_s / plain_tokens_s;
  }
};

template <typename Fields>
void describe(Fields& fields, const SpecCandidate*) {
  fields.record(
      "spec_candidate",
      "One way to run the model: an allreduce strategy, or one beside an all-to-all for the experts.");
  fields.add("strategy", &SpecCandidate::strategy, "Its name: 'custom-push', 'custom-push + nccl-alltoall'.");
  fields.add("layout", &SpecCandidate::layout, "tp, or tp+ep.").matches("^tp([+]ep)?$");
  fields.add("mode", &SpecCandidate::mode, "Of the calls.");
  fields.add("origin", &SpecCandidate::origin, "Of the communication times.");
  fields.add("call_ns", &SpecCandidate::call_ns, "An allreduce of the verify pass.", ranges::kModelledTime);
  fields.add("plain_call_ns", &SpecCandidate::plain_call_ns, "One of a plain decode step.",
             ranges::kModelledTime);
  fields.add("communication_ns", &SpecCandidate::communication_ns,
             "Exposed, in a speculative step: verify and draft.", ranges::kModelledTime);
  fields.add("verify_ns", &SpecCandidate::verify_ns, "The verify pass with its communication.",
             ranges::kModelledTime);
  fields.add("step_ns", &SpecCandidate::step_ns, "The whole speculative step: draft steps and verify pass.",
             ranges::kModelledTime);
  fields.derived("share", &SpecCandidate::share, "Of communication in the step.", ranges::kRatio);
  fields.add("plain_step_ns", &SpecCandidate::plain_step_ns, "A plain decode step.", ranges::kModelledTime);
  fields.add("tokens_s", &SpecCandidate::tokens_s,
             "With speculation, all sequences of the batch; null: acceptance is not known.",
             ranges::kTokenRate);
  fields.add("plain_tokens_s", &SpecCandidate::plain_tokens_s, "Without.", ranges::kTokenRate);
  fields.derived("against_plain", &SpecCandidate::against_plain, "tokens_s by plain_tokens_s.",
                 ranges::kRatio);
  fields.add("break_even_length", &SpecCandidate::break_even_length,
             "Acceptance length from which speculation is faster than the plain step.", ranges::kRatio);
  fields.add(
      "break_even_call_ns", &SpecCandidate::break_even_call_ns,
      "Time of an allreduce of the verify pass below which speculation pays; null: none is fast enough, or "
      "acceptance is not known.",
      ranges::kModelledTime);
  fields.add("best_draft_tokens", &SpecCandidate::best_draft_tokens,
             "1: no speculation; null: acceptance is not known.", ranges::kOneOrMore);
  fields.add("best_tokens_s", &SpecCandidate::best_tokens_s, "With as many draft tokens.",
             ranges::kTokenRate);
  fields.add("tokens_s_per_us", &SpecCandidate::tokens_s_per_us, "Gained when each call takes 1 us less.",
             ranges::kTokenRate);
}

struct SpecCurve {
  std::string candidate;
  std::string mode;
  std::string x;
  std::string y;
  std::vector<std::pair<double, double>> points;
};

template <typename Fields>
void describe(Fields& fields, const SpecCurve*) {
  fields.record("spec_curve", "Throughput over one variable.");
  fields.add("candidate", &SpecCurve::candidate, "Strategy of a candidate.");
  fields.add("mode", &SpecCurve::mode, "Of the candidate.");
  fields.add("x", &SpecCurve::x,
             "What is varied, with its unit: 'draft_tokens', 'acceptance_length', 'call_us', 'batch'.");
  fields.add("y", &SpecCurve::y, "What is shown: 'tokens_s'.");
  fields.add("points", &SpecCurve::points, "Pairs of x and y.", ranges::kNumber);
}

// What a layout takes of each GPU's memory.
struct SpecMemory {
  std::string layout;
  double weights_bytes = 0;
  double free_bytes = 0;
  double kv_pool_bytes = 0;
  std::optional<double> kv_tokens;
  double least_fraction = 0;
  Origin origin = Origin::modelled;
};

template <typename Fields>
void describe(Fields& fields, const SpecMemory*) {
  fields.record("spec_memory", "What a layout takes of each GPU.");
  fields.add("layout", &SpecMemory::layout, "tp, or tp+ep.");
  fields.add("weights_bytes", &SpecMemory::weights_bytes, "On each GPU.", ranges::kMemory);
  fields.add("free_bytes", &SpecMemory::free_bytes, "After weights, context and workspaces.",
             ranges::kMemoryLeft);
  fields.add("kv_pool_bytes", &SpecMemory::kv_pool_bytes,
             "What the memory fraction leaves for the pool; below 0: it does not come up.",
             ranges::kMemoryLeft);
  fields.add("kv_tokens", &SpecMemory::kv_tokens, "That fit into the pool; null: not known.", ranges::kCount);
  fields.add("least_fraction", &SpecMemory::least_fraction,
             "The memory fraction below which there is no room for a pool.", ranges::kRatio);
  fields.add("origin", &SpecMemory::origin, "Of the free memory.");
}

// A quantity that nobody reported, and what it would have to be for the reported throughput.
struct SpecExplanation {
  std::string quantity;
  std::string unit;
  double value = 0;
  std::optional<Interval> range;
  bool possible = true;
  std::string note;
};

template <typename Fields>
void describe(Fields& fields, const SpecExplanation*) {
  fields.record(
      "spec_explanation",
      "A quantity that was not reported, and what it would have to be for the reported throughput.");
  fields.add("quantity", &SpecExplanation::quantity, "Which.");
  fields.add("unit", &SpecExplanation::unit, "Its unit.");
  fields.add("value", &SpecExplanation::value, "That explains what was observed.", ranges::kNumber);
  fields.add("range", &SpecExplanation::range, "Over what is assumed.", ranges::kNumber);
  fields.add("possible", &SpecExplanation::possible, "Whether the range holds values that can be.");
  fields.add("note", &SpecExplanation::note, "More, in words.");
}

// A step that was replayed whole: its collectives in one graph, or launched one by one.
struct SpecReplay {
  std::string step;
  std::string candidate;
  Mode mode = Mode::graph;
  int calls = 0;
  double compute_ns = 0;
  double skew_ns = 0;
  Statistics time;
  std::optional<double> alone_ns;
  std::optional<double> exposed_ns;
};

template <typename Fields>
void describe(Fields& fields, const SpecReplay*) {
  fields.record("spec_replay",
                "A step, measured whole: its collectives in one graph, or launched one by one.");
  fields.add("step", &SpecReplay::step, "verify, plain or draft.");
  fields.add("candidate", &SpecReplay::candidate, "Strategy of a candidate.");
  fields.add("mode", &SpecReplay::mode, "Of the calls.");
  fields.add("calls", &SpecReplay::calls, "Collectives in it.", ranges::kCount);
  fields.add("compute_ns", &SpecReplay::compute_ns, "Idle time between the calls, altogether.",
             ranges::kModelledTime);
  fields.add("skew_ns", &SpecReplay::skew_ns, "How much later the last rank comes to each call.",
             ranges::kModelledTime);
  fields.add("samples", &SpecReplay::time, &Statistics::samples, "How many.", ranges::kCount);
  fields.add("median_ns", &SpecReplay::time, &Statistics::median_ns, "Of the step, slowest rank.",
             ranges::kElapsed);
  fields.add("interval95_ns", &SpecReplay::time, &Statistics::interval95_ns, "Of the median.",
             ranges::kElapsed);
  fields.add("alone_ns", &SpecReplay::alone_ns, "The step without its collectives; null without idle time.",
             ranges::kElapsed);
  fields.add("exposed_ns", &SpecReplay::exposed_ns, "What the collectives add; null without idle time.",
             ranges::kTimeDifference);
}

struct SpecResult {
  std::string scenario;
  std::string title;
  std::string model;
  std::string machine;
  int allreduces = 0;
  Bytes verify_message;
  Bytes plain_message;
  std::vector<SpecInput> inputs;
  std::vector<SpecCandidate> candidates;
  std::vector<SpecReplay> replays;
  std::vector<SpecMemory> memory;
  std::vector<SpecExplanation> explanations;
  std::vector<std::string> decides;
  std::string recommendation;
  std::string confidence;
  std::vector<SpecCurve> curves;
  std::optional<SpecEstimate> estimate;
};

template <typename Fields>
void describe(Fields& fields, const SpecResult*) {
  fields.record("spec", "What run-spec found.");
  fields.add("scenario", &SpecResult::scenario, "Its name.");
  fields.add("title", &SpecResult::title, "Of the scenario.");
  fields.add("model", &SpecResult::model, "Of the scenario.");
  fields.add("machine", &SpecResult::machine, "The profile behind what is modelled.");
  fields.add("allreduces", &SpecResult::allreduces, "In a forward pass.", ranges::kCount);
  fields.add("verify_message_bytes", &SpecResult::verify_message, "Of an allreduce of the verify pass.",
             ranges::kMemory);
  fields.add("plain_message_bytes", &SpecResult::plain_message, "Of one of a plain step.", ranges::kMemory);
  fields.add("recommendation", &SpecResult::recommendation,
             "One sentence; begins with 'tie' when it can't be decided.");
  fields.add("confidence", &SpecResult::confidence, "What the recommendation rests on.");
  fields.add("decides", &SpecResult::decides, "What decides, one sentence each.");
  fields.add("inputs", &SpecResult::inputs, "Every number that went in.");
  fields.add("candidates", &SpecResult::candidates, "Ways to run the model.");
  fields.add("replays", &SpecResult::replays, "Steps that were measured whole.");
  fields.add("memory", &SpecResult::memory, "Of each GPU, by layout.");
  fields.add("explanations", &SpecResult::explanations, "What unreported quantities would have to be.");
  fields.add("curves", &SpecResult::curves, "Throughput over what can be varied.");
  fields
      .add("estimate", &SpecResult::estimate, "Whether speculation pays; null in results of older versions.")
      .since_minor(5);
}

}  // namespace ringside
