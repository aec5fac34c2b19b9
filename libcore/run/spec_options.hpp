#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweep/request_scenario.hpp"

namespace ringside {

// What a verdict is expected to be: a run with another one fails.
enum class ExpectedVerdict { pays, loses };

// What `run-spec` is asked for.
struct SpecOptions {
  std::string scenario;           // a name or a file; empty: none was named
  std::vector<std::string> sets;  // PATH=VALUE, in the place of the scenario's values

  // The model, its draft and the server.
  std::optional<std::string> config;        // a config.json, or the folder that has it
  std::optional<std::string> draft_config;  // of a separate draft
  std::optional<std::string> gpu;           // a prior of compute times
  std::optional<std::string> server;        // "vllm@0.20", "2026-03"
  std::optional<int> tp;
  std::optional<int> ep;
  bool dp_attention = false;
  bool alltoall = false;
  std::optional<int> drafts;
  std::optional<std::string> batches;   // "8", "1:64:x2"
  std::optional<std::string> contexts;  // "2K", "1K:32K:x4"
  std::optional<std::string> acceptance;

  // What was measured.
  std::vector<std::string> logs;
  std::vector<std::string> benches;
  std::vector<std::pair<std::string, std::string>> metrics;  // before, after
  std::vector<std::string> observed;                         // "batch=8,tokens_s=455"
  std::optional<std::string> allreduce;

  std::optional<ExpectedVerdict> expect;
  std::optional<double> compute_us;  // per layer, between the calls of a replay
  std::optional<double> skew_us;     // of the last rank, at each call of a replay
  RequestOverrides flags;

  // Whether they hold something that was measured on a server.
  bool measured() const { return !logs.empty() || !benches.empty() || !metrics.empty() || !observed.empty(); }

  // Throws UsageError when they contradict each other.
  void check() const;

  // The files that they name to be read.
  std::vector<std::string> inputs() const;
};

}  // namespace ringside
