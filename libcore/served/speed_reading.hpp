#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/interval.hpp"
#include "served/logged_arguments.hpp"

namespace ringside {

// How a speed was taken.
enum class SpeedBasis {
  windows,   // a server's own lines: tokens of an interval of some seconds over its length
  requests,  // a benchmark's requests: sequences at a time over the mean time of an output token
  counters,  // two snapshots of a server's counters
  gauges,    // a server's own last values
};

// A speed of a server, as it was measured: at one number of running sequences, with speculation or without.
// It is what the source says; whether it can be true is not judged here.
struct SpeedReading {
  std::string source;  // "plain.log, 10 windows of SGLang"
  SpeedBasis basis = SpeedBasis::windows;
  bool speculative = false;  // drafts were verified in these windows
  // Sequences at a time in all `ranks` together; nothing: not said.
  std::optional<double> batch;
  int ranks = 1;  // data-parallel ranks that are added up here
  // That the server has, as far as is known: more than `ranks` where some are not in the source.
  int ranks_of = 1;
  // Output tokens a second of all `ranks` while they decode; nothing: acceptance alone.
  std::optional<double> tokens_s;
  // Of tokens_s over windows, the tenth at both ends left out; nothing: one window.
  std::optional<Interval> spread;
  // Of a benchmark: output tokens over its whole duration, prompts included.
  std::optional<double> end_to_end_s;
  // Tokens of a sequence a step, the verify pass's own among them: 1 to drafts + 1.
  std::optional<double> length;
  std::optional<Interval> length_spread;
  std::optional<double> accept_rate;  // accepted of drafted tokens
  std::vector<double> rates;          // share of steps that accept position 1, 2, ...: never rising
  std::optional<double> context;      // mean tokens of a sequence in the KV cache
  std::optional<bool> graph;          // all windows ran in a CUDA graph; false: at least one did not
  int windows = 0;                    // that tokens_s is of
  int left_out = 0;                   // while the server filled, emptied or read prompts
  bool settled = false;               // at least two windows in a row had this batch
  LoggedArguments arguments;          // of the server that wrote these windows

  double batch_a_rank() const { return batch.value_or(0) / ranks; }
};

// The readings that a model may learn from: the settled ones, or all where none is.
std::vector<SpeedReading> usable_readings(std::vector<SpeedReading> readings);

}  // namespace ringside
