#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/secrets.hpp"
#include "model/case.hpp"
#include "model/field_range.hpp"

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

template <typename Fields>
void describe(Fields& fields, const CaseSet*) {
  fields.record("case_set", "Cases that are asked for together: each strategy at each size, dtype and mode.");
  fields.add("collective", &CaseSet::collective, "The operation.");
  fields.add("strategies", &CaseSet::strategies, "Full names; the same name twice gives two entries.");
  fields.add("bytes", &CaseSet::sizes, "Message sizes, ascending.", ranges::kMessage);
  fields.add("dtypes", &CaseSet::dtypes, "Of the elements.");
  fields.add("modes", &CaseSet::modes, "How calls are made.");
  fields.add("load", &CaseSet::load, "alltoall: share of each message that goes to each rank; empty: even.",
             ranges::kShare);
}

// A strategy that was made slower on purpose, to try a gate: every repetition makes so many times the calls
// that it counts, to whole calls.
struct Slowdown {
  std::string strategy;  // its name, or "all"
  double factor = 1;

  bool operator==(const Slowdown&) const = default;
};

template <typename Fields>
void describe(Fields& fields, const Slowdown*) {
  fields.record("slowdown", "A strategy that was made slower on purpose.");
  fields.add("strategy", &Slowdown::strategy, "Its name, or 'all'.").not_empty();
  fields.add("factor", &Slowdown::factor, "How many times the calls that are counted.", ranges::kOneOrMore);
}

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
  int calls_per_sample = 122;           // upper limit on host, where big messages get fewer
  std::vector<std::string> gpus;        // cuda: the UUID of each rank's GPU
  std::string nccl_library;             // cuda: path; empty: there is none
  std::chrono::nanoseconds skew{};      // how late one rank comes, in a measurement of its own; 0: none
  bool profile = false;                 // each case once, for a profiler: no statistics
  InputState input = InputState::warm;  // of timed calls
  // Calls in a row whose outputs are all checked. 0: 1,098, or as many as fit into a tenth of a case's time,
  // 40 at least.
  int verify_calls = 0;
  std::vector<Slowdown> slowdowns;  // each strategy once
  Bytes cache;                      // cuda: the largest GPU cache, for cold inputs

  // The first set of cases, which flags and scenarios speak of.
  CaseSet& first() { return cases.front(); }
  const CaseSet& first() const { return cases.front(); }

  bool operator==(const SweepRequest&) const = default;
};

// How many times the calls that it counts a strategy makes; 1 unless it was made slower on purpose.
double slowdown(const SweepRequest& request, const std::string& strategy);

template <typename Fields>
void describe(Fields& fields, const SweepRequest*) {
  fields.record("request", "Every setting of a measurement.");
  fields.add("device", &SweepRequest::device, "Where it runs.");
  fields.add("described", &SweepRequest::described,
             "Whose strategies a described machine runs; model where none is described.");
  fields.add("ranks", &SweepRequest::ranks, "Processes that take part.", ranges::kRanks);
  fields.add("cases", &SweepRequest::cases, "What is measured.");
  fields.add("launches", &SweepRequest::launches, "Groups of fresh processes, at most.", ranges::kLaunches);
  fields.add("min_rounds", &SweepRequest::min_rounds, "Rounds of a size before it may count as settled.",
             ranges::kRounds);
  fields.add("max_rounds", &SweepRequest::max_rounds, "Rounds of a size in a launch, at most.",
             ranges::kRounds);
  fields.add("budget_ns", &SweepRequest::budget, "Time for the whole command.", ranges::kSetting);
  fields.add("firm_budget", &SweepRequest::firm_budget,
             "No group of cases begins once the budget is spent; else the first launch ends anyhow.");
  fields.add("turn_timeout_ns", &SweepRequest::turn_timeout,
             "Time for one case in one round, before ranks count as hung.", ranges::kTurnTimeout);
  fields.add("seed", &SweepRequest::seed, "Of the order and the data.", ranges::kSeed);
  fields.add("calls_per_sample", &SweepRequest::calls_per_sample, "Calls of a repetition, at most.",
             ranges::kCalls);
  fields.add("gpus", &SweepRequest::gpus, "cuda: the UUID of each rank's GPU.");
  fields.add("nccl_library", &SweepRequest::nccl_library, "cuda: path of the NCCL library; empty: none.");
  fields.add("skew_ns", &SweepRequest::skew, "How late one rank comes, in a measurement of its own; 0: none.",
             ranges::kSkew);
  fields.add("profile", &SweepRequest::profile, "Each case once, for a profiler.");
  fields.add("input", &SweepRequest::input, "What timed calls find in the caches.");
  fields.add("verify_calls", &SweepRequest::verify_calls,
             "Calls in a row whose outputs are all checked; 0: 1,098, or what fits, 40 at least.",
             ranges::kVerifyCalls);
  fields.add("slowdowns", &SweepRequest::slowdowns, "Strategies that were made slower on purpose.");
  fields.add("cache_bytes", &SweepRequest::cache, "cuda: the largest GPU cache, for cold inputs.",
             ranges::kMemory);
}

// A text that took part in a request: a scenario, a machine profile, a model's config.json, a server's log.
struct InputText {
  std::string role;    // "scenario", "machine", "model config", "log", "command", ...
  std::string origin;  // the path as it was given, or the place in the binary: "sweeps/decode.toml"
  Bytes bytes;         // of the text
  std::string digest;  // as base/digest.hpp makes it
  std::optional<std::string> text;  // absent where it is large, or may hold secrets
};

template <typename Fields>
void describe(Fields& fields, const InputText*) {
  fields.record("input", "A text that took part in what was asked.");
  fields.add("role", &InputText::role, "scenario, machine, model config, log or command.").not_empty();
  fields.add("origin", &InputText::origin, "The path as it was given, or the place in the binary.");
  fields.add("bytes", &InputText::bytes, "Of the text, without secrets.", ranges::kMemory);
  fields.add("digest", &InputText::digest, "FNV-1a of the text without secrets, 64 bits.");
  fields.add("text", &InputText::text, "The text; null where it is large or may hold secrets.");
}

// Texts beyond this size are kept as their digest alone.
inline constexpr Bytes kMostInputText{64u << 10};

// `text` as an input. Its secrets are left out, and counted in `withheld`. `keep`: false leaves the text
// itself out.
InputText input_text(std::string role, std::string origin, const std::string& text, Withheld& withheld,
                     bool keep = true);

}  // namespace ringside
