#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/row.hpp"

namespace ringside {

// What run-spec says of a question about speculation, number by number. Speeds are tokens a second of the
// whole server.

// A number that is not known exactly: half of the draws lie below `median`, 90 % between `low` and `high`.
struct SpecRange {
  double median = 0;
  double low = 0;
  double high = 0;
};

template <typename Fields>
void describe(Fields& fields, const SpecRange*) {
  fields.record("spec_range", "A number that is not known exactly.");
  fields.add("median", &SpecRange::median, "Of all draws.", ranges::kNumber);
  fields.add("low", &SpecRange::low, "5 % of the draws lie below.", ranges::kNumber);
  fields.add("high", &SpecRange::high, "5 % of the draws lie above.", ranges::kNumber);
}

// The second component: a server that loses its CUDA graphs when it speculates.
struct SpecSlowPath {
  double probability = 0;
  std::optional<SpecRange> speedup;
};

template <typename Fields>
void describe(Fields& fields, const SpecSlowPath*) {
  fields.record("spec_slow_path",
                "The second component: a server that runs verify or draft steps without CUDA graphs.");
  fields.add("probability", &SpecSlowPath::probability, "Of this component.", ranges::kProbability);
  fields.add("speedup", &SpecSlowPath::speedup, "In this component; null: acceptance is not known.");
}

// Two measured speeds set beside each other, or the reason why they can't be.
struct SpecMeasured {
  double batch = 0;
  std::optional<int> drafts;
  double speculative_tokens_s = 0;
  double plain_tokens_s = 0;
  std::optional<double> context;
  std::optional<double> length;
  std::optional<SpecRange> ratio;
  std::string reason;
  std::string speculative_source;
  std::string plain_source;
};

template <typename Fields>
void describe(Fields& fields, const SpecMeasured*) {
  fields.record("spec_measured", "A speed with speculation beside one without.");
  fields.add("batch", &SpecMeasured::batch, "Running sequences of the whole server.", ranges::kCount);
  fields.add("drafts", &SpecMeasured::drafts, "Drafted tokens; null: not known.", ranges::kCount);
  fields.add("speculative_tokens_s", &SpecMeasured::speculative_tokens_s, "With speculation.",
             ranges::kTokenRate);
  fields.add("plain_tokens_s", &SpecMeasured::plain_tokens_s, "Without.", ranges::kTokenRate);
  fields.add("context", &SpecMeasured::context, "Mean tokens of a sequence; null: not known.",
             ranges::kCount);
  fields.add("length", &SpecMeasured::length, "Tokens a step; null: not known.", ranges::kRatio);
  fields.add("ratio", &SpecMeasured::ratio,
             "With speculation by without, with its 90 % interval; null: not comparable.");
  fields.add("reason", &SpecMeasured::reason, "Why they can't be compared; empty: they can.");
  fields.add("speculative_source", &SpecMeasured::speculative_source, "Of the speed with speculation.");
  fields.add("plain_source", &SpecMeasured::plain_source, "Of the other one.");
}

// One observed speed beside what the model makes of it.
struct SpecObserved {
  std::string source;
  bool speculative = false;
  double batch = 0;
  std::optional<int> drafts;
  double context = 0;
  double tokens_s = 0;
  std::optional<double> length;
  bool used = true;
  std::string reason;
  std::optional<SpecRange> predicted;
  std::optional<SpecRange> left_out;
};

template <typename Fields>
void describe(Fields& fields, const SpecObserved*) {
  fields.record("spec_observed", "An observed speed beside the model's.");
  fields.add("source", &SpecObserved::source, "Where it comes from.");
  fields.add("speculative", &SpecObserved::speculative, "Whether the server speculated.");
  fields.add("batch", &SpecObserved::batch, "Running sequences of the whole server.", ranges::kCount);
  fields.add("drafts", &SpecObserved::drafts, "Drafted tokens; null: none, or not known.", ranges::kCount);
  fields.add("context", &SpecObserved::context, "Tokens of a sequence, as taken.", ranges::kCount);
  fields.add("tokens_s", &SpecObserved::tokens_s, "As observed.", ranges::kTokenRate);
  fields.add("length", &SpecObserved::length, "Tokens a step; null: not known.", ranges::kRatio);
  fields.add("used", &SpecObserved::used, "Whether the model was narrowed by it.");
  fields.add("reason", &SpecObserved::reason, "Why it was not used; empty: it was.");
  fields.add("predicted", &SpecObserved::predicted, "Tokens a second by the model after all observations.");
  fields.add("left_out", &SpecObserved::left_out,
             "The same after all observations but this one; null with fewer than three.");
}

// One point of the table of drafts, batches and contexts.
struct SpecCell {
  int batch = 1;
  double context = 0;
  int drafts = 0;
  std::optional<SpecRange> tokens_s;
  std::optional<SpecRange> speedup;
  std::optional<SpecRange> break_even_length;
  std::optional<double> pays;
  bool best = false;
  bool measured = false;
};

template <typename Fields>
void describe(Fields& fields, const SpecCell*) {
  fields.record("spec_cell", "One batch, context and number of drafts.");
  fields.add("batch", &SpecCell::batch, "Running sequences of the whole server.", ranges::kOneOrMore);
  fields.add("context", &SpecCell::context, "Tokens of a sequence.", ranges::kCount);
  fields.add("drafts", &SpecCell::drafts, "Drafted tokens; 0: no speculation.", ranges::kCount);
  fields.add("tokens_s", &SpecCell::tokens_s, "Tokens a second; null where acceptance is not known.");
  fields.add("speedup", &SpecCell::speedup,
             "Against no speculation; null for 0 drafts, or where acceptance is not known.");
  fields.add("break_even_length", &SpecCell::break_even_length,
             "Tokens a step from which it pays; null for 0 drafts.");
  fields.add("pays", &SpecCell::pays,
             "Probability that it is faster than no speculation; null where speedup is.",
             ranges::kProbability);
  fields.add("best", &SpecCell::best,
             "The number of drafts to take here: the smallest that no other beats by more than the band.");
  fields.add("measured", &SpecCell::measured, "Whether the speed-up is that of two measured speeds.");
}

// Lines for a server's command or configuration.
struct SpecLines {
  std::string server;
  std::string purpose;
  std::vector<std::string> lines;
};

template <typename Fields>
void describe(Fields& fields, const SpecLines*) {
  fields.record("spec_lines", "Lines to type or to paste.");
  fields.add("server", &SpecLines::server, "vLLM, SGLang or TensorRT-LLM.");
  fields.add("purpose", &SpecLines::purpose, "What they are for.");
  fields.add("lines", &SpecLines::lines, "As they are typed.");
}

struct SpecEstimate {
  std::string verdict;
  std::string certainty;
  std::string decision;
  std::string rests_on;
  std::string missing;
  int batch = 1;
  int drafts = 0;
  double context = 0;
  std::string layout;
  std::string acceptance;
  std::optional<SpecRange> length;
  std::optional<SpecRange> plain_tokens_s;
  std::optional<SpecRange> speculative_tokens_s;
  std::optional<SpecRange> speedup;
  std::optional<double> pays;
  std::optional<SpecRange> break_even_length;
  std::optional<SpecSlowPath> slow_path;
  double effective_draws = 0;
  std::uint64_t seed = 0;
  std::vector<SpecMeasured> measured;
  std::vector<SpecObserved> observations;
  std::vector<std::string> not_understood;
  std::vector<std::string> used;
  std::vector<std::string> derived;
  std::vector<SpecCell> table;
  std::vector<std::string> crossover;
  std::vector<SpecLines> paste;
  std::string next;
  std::vector<SpecLines> commands;
};

template <typename Fields>
void describe(Fields& fields, const SpecEstimate*) {
  fields.record("spec_estimate", "Whether speculation pays, with what it rests on.");
  fields.add("verdict", &SpecEstimate::verdict, "pays, loses or open.").matches("^(pays|loses|open)$");
  fields
      .add("certainty", &SpecEstimate::certainty,
           "measured: two speeds of this point were; firm: 95 % or more; likely: 80 % or more; else open.")
      .matches("^(measured|firm|likely|open)$");
  fields.add("decision", &SpecEstimate::decision, "The answer, one sentence.");
  fields.add("rests_on", &SpecEstimate::rests_on, "What it rests on.");
  fields.add("missing", &SpecEstimate::missing, "What is missing, and what to measure next; may be empty.");
  fields.add("batch", &SpecEstimate::batch, "Of the question.", ranges::kOneOrMore);
  fields.add("drafts", &SpecEstimate::drafts, "Of the question.", ranges::kCount);
  fields.add("context", &SpecEstimate::context, "Tokens of a sequence, of the question.", ranges::kCount);
  fields.add("layout", &SpecEstimate::layout, "Of the question: 'TP8', 'TP8, EP8, DP attention'.");
  fields.add("acceptance", &SpecEstimate::acceptance, "What is known of it, in words.");
  fields.add("length", &SpecEstimate::length, "Tokens a step; null: not known.");
  fields.add("plain_tokens_s", &SpecEstimate::plain_tokens_s, "By the model; null: no model is known.");
  fields.add("speculative_tokens_s", &SpecEstimate::speculative_tokens_s,
             "By the model's main component; null: acceptance or the model is not known.");
  fields.add("speedup", &SpecEstimate::speedup,
             "The main component's, or the measured one; null: acceptance or the model is not known.");
  fields.add("pays", &SpecEstimate::pays,
             "Probability that it is faster than no speculation; null: nothing is known of it.",
             ranges::kProbability);
  fields.add("break_even_length", &SpecEstimate::break_even_length,
             "Tokens a step from which speculation pays; null: no model is known.");
  fields.add("slow_path", &SpecEstimate::slow_path, "The second component; null: measured, or no model.");
  fields.add("effective_draws", &SpecEstimate::effective_draws, "Of the model; below 300 nothing is firm.",
             ranges::kCount);
  fields.add("seed", &SpecEstimate::seed, "Of the draws.", ranges::kSeed);
  fields.add("measured", &SpecEstimate::measured, "Pairs of measured speeds.");
  fields.add("observations", &SpecEstimate::observations, "Every observed speed beside the model's.");
  fields.add("not_understood", &SpecEstimate::not_understood,
             "Keys of the model's files that change memory or work and are not understood.");
  fields.add("used", &SpecEstimate::used, "Keys of the model's files that were used.");
  fields.add("derived", &SpecEstimate::derived, "Numbers that follow from them.");
  fields.add("table", &SpecEstimate::table, "Drafts x batch x context; empty: one point was asked for.");
  fields.add("crossover", &SpecEstimate::crossover, "Where speculation stops to pay, one sentence each.");
  fields.add("paste", &SpecEstimate::paste, "Settings for a server.");
  fields.add("next", &SpecEstimate::next, "What narrows the answer most.");
  fields.add("commands", &SpecEstimate::commands, "How to measure it.");
}

}  // namespace ringside
