#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "inittrace/value.hpp"

namespace ringside {

// What the command line of trace-init says.
struct TraceOptions {
  std::optional<std::string> scenario;
  std::vector<std::string> command;  // behind `--`
  std::optional<std::string> command_file;
  std::optional<std::string> sglang;  // version, commit or pipeline file
  std::optional<std::string> source;
  std::optional<std::string> log;
  std::optional<std::string> model_config;
  std::optional<std::string> draft_model_config;
  std::optional<double> free_after_weights;  // GB
  std::optional<double> gpu_memory;          // GB
  std::optional<std::string> gpu;            // "sm120"
  std::optional<std::string> write_pipeline;
  std::optional<std::string> expect;
  bool all_models = false;
  bool what_if = false;
  bool nvtx = false;
  bool live = false;
  CommonOptions common;

  void declare(OptionTable& options);
  // Throws UsageError when they contradict each other.
  void check() const;
};

}  // namespace ringside
