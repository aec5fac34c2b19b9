#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// What a server says of some seconds of decoding, on one line or on two that belong together: of one of its
// data-parallel ranks, or of all of them.
struct DecodeWindow {
  int rank = 0;            // data-parallel rank (vLLM: engine); of all together: 0
  int ranks = 1;           // that the line adds up
  int start = 0;           // which start of a server it belongs to, from 0
  std::int64_t clock = 0;  // digits of its time of day and date, for their order alone; 0: none
  bool speculative = false;
  bool prefilled = false;  // prompts were read in these seconds as well
  std::optional<bool> graph;
  std::optional<double> running;  // sequences
  std::optional<double> tokens_s;
  std::optional<double> length;       // tokens of a sequence a step
  std::optional<double> accept_rate;  // accepted of drafted tokens
  std::optional<double> kv_tokens;    // tokens in the KV cache
  std::optional<double> kv_share;     // of the pool that is in use, 0 to 1
  std::vector<double> rates;          // by position
};

// The first date and time of a text as one number: "2026-05-04 10:00:10" is 20260504100010, "02-01 12:00:10"
// is 201120010; 0: none.
std::int64_t clock_of(std::string_view text);

// A decode line of SGLang: "[2026-05-04 10:00:20 DP0 TP0 EP0] Decode batch, #running-req: 32, #token: 64000,
// token usage: 0.11, accept len: 2.41, accept rate: 0.47, cuda graph: True, gen throughput (token/s): 684.42,
// #queue-req: 0"; older ones "Decode batch. ..." without a graph or a rate, newer ones "#full token:" and
// "Decode batch [77], ...". Its accept rate is left: versions disagree whether it counts the verify pass's
// own token. Nothing for a line of another pipeline stage than the first, and for an accept length below 1.
// `rank_named`: whether the line names a data-parallel rank; without one `rank` is that of TP, as only ranks
// with requests of their own write.
struct SglangWindow {
  DecodeWindow window;
  bool rank_named = false;
};
std::optional<SglangWindow> sglang_window(std::string_view line);

// A throughput line of vLLM: "Engine 000: Avg prompt throughput: 10.0 tokens/s, Avg generation throughput:
// 120.5 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.4%, ..."; "4 Engines Aggregated:
// ..." is of four ranks.
std::optional<DecodeWindow> vllm_window(std::string_view line);

// What a line of vLLM says about acceptance.
struct VllmAcceptance {
  std::optional<double> length;
  std::optional<double> accept_rate;
  std::vector<double> rates;
  // Counts since the server started, of "Speculative metrics:" alone.
  std::optional<double> drafted;
  std::optional<double> emitted;
  std::optional<double> drafts_a_step;

  bool empty() const { return !length && !accept_rate && rates.empty(); }
};

// "SpecDecoding metrics: Mean acceptance length: 2.45, ... Per-position acceptance rate: 0.760, 0.450, ...",
// in its first version "SpecDecoding metrics: Draft acceptance rate: 60.7%, Accepted: 262 tokens, Drafted:
// 432 tokens", and of the engine before it "Speculative metrics: Draft acceptance rate: 0.612, System
// efficiency: 0.540, Number of speculative tokens: 4, ... Number of draft tokens: 400, Number of emitted
// tokens: 270".
VllmAcceptance vllm_acceptance(std::string_view line);

}  // namespace ringside
