#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringside {

// What the log of an inference server says about speculation and speed. Medians over its lines, as the first
// and last ones are those of a server that fills or empties.
struct ServerLog {
  std::string server;                       // "SGLang" or "vLLM"; empty: no line was recognised
  int lines = 0;                            // that said something
  std::optional<double> acceptance_length;  // tokens a step, the verify pass's own among them
  std::optional<double> tokens_s;           // generation throughput of the server
  std::optional<double> running;            // sequences at a time
  std::vector<double> rates;                // vLLM: share of drafts accepted, by position
};

// Reads the lines of SGLang ("accept len: 2.81", since 0.4.7 "accept_length"-like spellings too) and of vLLM
// ("Mean acceptance length: 2.41", "Per-position acceptance rate: 0.8, 0.6", "Avg generation throughput:").
ServerLog read_server_log(const std::string& text);

}  // namespace ringside
