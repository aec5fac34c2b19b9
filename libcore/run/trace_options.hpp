#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringside {

// What `trace-init` is asked for.
struct TraceOptions {
  std::optional<std::string> scenario;
  std::vector<std::string> command;  // the server's own
  std::optional<std::string> command_file;
  std::optional<std::string> server;  // "sglang", "vllm"; nothing: the one that the command starts
  std::optional<std::string> sglang;  // version, commit or pipeline file
  std::optional<std::string> source;  // a folder
  std::optional<std::string> log;     // a file; "-": stdin
  std::optional<std::string> ras;     // a file with the report of NCCL's RAS, or HOST:PORT
  std::vector<std::string> py_spy;    // files with dumps
  std::optional<std::string> model_config;
  std::optional<std::string> draft_model_config;
  std::optional<double> free_after_weights;  // GB
  std::optional<double> gpu_memory;          // GB
  std::optional<std::string> gpu;            // "sm120"
  std::optional<std::string> write_pipeline;
  std::optional<std::string> expect;
  std::vector<std::string> scopes;  // that `expect` needs; empty: arguments and experts
  bool all_models = false;
  bool what_if = false;
  bool live = false;

  // Throws UsageError when they contradict each other, or one can't be used with this way in.
  void check() const;

  // The files that they name to be read.
  std::vector<std::string> inputs() const;

 private:
  void check_ways(int ways) const;
  void check_server() const;
};

}  // namespace ringside
