#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/quantity.hpp"

namespace ringside {

// What the log of an inference server says about speculation and speed: of the lines with the commonest
// number of running requests, as batch and rate belong together. Values are medians over these lines, as the
// first and last ones are those of a server that fills or empties; ranges leave the tenth at both ends out
// (fewer than ten lines: none).
struct ServerLog {
  std::string server;                         // "SGLang" or "vLLM"; empty: no line was recognised
  int lines = 0;                              // that said something
  int used = 0;                               // of them, those that the values are of
  bool speculative = false;                   // it drafts, so tokens_s is the speculating server's
  std::optional<Quantity> acceptance_length;  // tokens a step, the verify pass's own among them
  std::optional<Quantity> tokens_s;           // generation throughput of the server
  std::optional<int> running;                 // sequences at a time
  std::vector<double> rates;                  // vLLM: share of drafts accepted, by position
};

// Reads the lines of SGLang ("accept len: 2.81") and of vLLM ("Mean acceptance length: 2.41", "Per-position
// acceptance rate: 0.8, 0.6", "Avg generation throughput:"; older ones "Speculative metrics: ... System
// efficiency: 0.6, Number of speculative tokens: 4"). Throws UsageError that names `origin` for what is no
// text.
ServerLog read_server_log(const std::string& text, const std::string& origin);

}  // namespace ringside
