#pragma once

#include <string>
#include <vector>

#include "base/secrets.hpp"
#include "served/speed_reading.hpp"

namespace ringside {

// What a file says about speed: readings in the order of batch, plain before speculative.
struct SpeedFile {
  std::string kind;  // "SGLang log", "vLLM log", "vLLM benchmark", "SGLang benchmark", "acceptance table"
  std::vector<SpeedReading> readings;
  LoggedArguments arguments;        // the last that the file has
  std::vector<std::string> doubts;  // one sentence each: lines that say something else than they seem to
  Withheld withheld;                // secrets
};

// Reads the log of a server (SGLang or vLLM). No readings: no line says anything. Throws UsageError that
// names `origin` for what is no text.
SpeedFile read_speed_log(const std::string& text, const std::string& origin);

// Reads a benchmark's result: JSON of `vllm bench serve --save-result`, JSON or JSON lines of SGLang's
// bench_serving, speculators' acceptance.csv. Throws UsageError that names `origin` for anything else.
SpeedFile read_speed_benchmark(const std::string& text, const std::string& origin);

// Reads two snapshots of Prometheus /metrics of one server (vLLM or SGLang). Throws UsageError that names an
// origin for anything else, or where a counter fell: the server was started anew between them.
SpeedFile read_speed_metrics(const std::string& before, const std::string& before_origin,
                             const std::string& after, const std::string& after_origin);

}  // namespace ringside
