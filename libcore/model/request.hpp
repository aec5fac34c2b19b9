#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"

namespace ringside {

// Cases that are asked for together: each strategy at each size, dtype and mode.
struct CaseSet {
  Collective collective = Collective::allreduce;
  // Names, families or "all" as they were asked for; of a Plan and of a Document full names. The same name
  // twice gives two entries.
  std::vector<std::string> strategies = {"all"};
  std::vector<Bytes> sizes;  // strictly ascending
  std::vector<DType> dtypes = {DType::bf16};
  std::vector<Mode> modes = {Mode::eager};
  std::vector<double> load{};  // alltoall: Case::load

  bool operator==(const CaseSet&) const = default;
};

// What a measurement is asked to do, once flags, scenario and defaults are put together and the box has been
// looked at. A Document holds it, so that the same can be measured again without a command line or a file.
struct SweepRequest {
  DeviceKind device = DeviceKind::host;
  DeviceKind described = DeviceKind::model;  // model: whose strategies the described machine runs
  int ranks = 2;
  std::vector<CaseSet> cases = {CaseSet{}};  // one at least
  int launches = 3;
  int min_rounds = 10;  // the stop rule is not looked at before
  int max_rounds = 200;
  std::chrono::nanoseconds budget{};  // the whole command
  bool firm_budget = false;  // once it is spent no group of cases begins; else the first launch ends anyhow
  std::chrono::nanoseconds turn_timeout{};  // one case in one round
  std::uint64_t seed = 0;
  int calls_per_sample = 122;       // upper limit on host, where big messages get fewer
  std::vector<std::string> gpus;    // cuda: the UUID of each rank's GPU
  std::string nccl_library;         // cuda: path; empty: there is none
  std::chrono::nanoseconds skew{};  // how late one rank comes, in a measurement of its own; 0: none
  bool profile = false;             // each case once, for a profiler: no statistics
  bool cold_input = false;          // calls read inputs that are in no cache
  // On purpose, to try a gate: every repetition of the strategy ("all": of each) makes so many times the
  // calls that it counts, to whole calls.
  std::map<std::string, double> slowdowns;
  Bytes cache;  // cuda: the largest GPU cache, for cold inputs

  // The first set of cases, which flags and scenarios speak of.
  CaseSet& first() { return cases.front(); }
  const CaseSet& first() const { return cases.front(); }

  bool operator==(const SweepRequest&) const = default;
};

// A text that took part in a request: a scenario, a machine profile, a model's config.json, a server's log.
struct InputText {
  std::string role;    // "scenario", "machine", "model config", "log", "command", ...
  std::string origin;  // the path as it was given, or the place in the binary: "sweeps/decode.toml"
  Bytes bytes;         // of the text
  std::string digest;  // as base/digest.hpp makes it
  std::optional<std::string> text;  // absent where it is large, or may hold secrets
};

// Texts beyond this size are kept as their digest alone.
inline constexpr Bytes kMostInputText{64u << 10};

// `text` as an input. `keep`: false leaves the text itself out.
InputText input_text(std::string role, std::string origin, const std::string& text, bool keep = true);

}  // namespace ringside
