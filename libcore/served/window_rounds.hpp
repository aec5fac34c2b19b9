#pragma once

#include <optional>
#include <vector>

#include "served/decode_window.hpp"

namespace ringside {

// Some seconds of decoding in the whole server: one window of each data-parallel rank.
struct DecodeRound {
  int start = 0;
  int ranks = 0;  // that are in it
  bool speculative = false;
  bool prefilled = false;
  std::optional<bool> graph;
  std::optional<double> running;      // of all ranks together; nothing: one didn't say
  std::optional<double> tokens_s;     // likewise
  std::optional<double> length;       // mean over ranks, by their tokens
  std::optional<double> accept_rate;  // likewise
  std::optional<double> kv_tokens;    // of all ranks together
  std::vector<double> rates;
};

// Puts together what ranks wrote in the same seconds: in the order of their clocks where all have one and
// there are several ranks, else in that of the log. A round ends where a rank writes again. `pool_tokens` of
// a start: what one rank's KV cache holds, for windows with a share of it alone; nothing: not known.
std::vector<DecodeRound> rounds_of(std::vector<DecodeWindow> windows,
                                   const std::vector<std::optional<double>>& pool_tokens);

}  // namespace ringside
