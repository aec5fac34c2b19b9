#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ringside {

// What a server says of itself when it starts, as far as it is known: SGLang's `server_args=ServerArgs(...)`,
// vLLM's `non-default args: {...}` and `Initializing a V1 LLM engine (v0.10.0) with config: ...`. Nothing:
// the log doesn't say, which is not the server's default.
struct LoggedArguments {
  std::string server;   // "SGLang", "vLLM"; empty: not known
  std::string version;  // "0.10.0"; empty: not said
  std::string model;    // path or name; empty: not said
  std::optional<int> tensor_parallel;
  std::optional<int> data_parallel;
  std::optional<int> pipeline_parallel;
  std::optional<int> expert_parallel;      // ranks that share the experts; 1: none
  std::optional<bool> data_attention;      // SGLang's --enable-dp-attention
  std::optional<int> max_running;          // sequences at a time: max_running_requests, max_num_seqs
  std::optional<bool> graphs;              // false: --disable-cuda-graph, --enforce-eager
  std::optional<int> graph_batch;          // largest batch (SGLang) or rows (vLLM) that a CUDA graph has
  std::string quantization;                // "fp8", "modelopt_fp4"; empty: not said
  std::string weight_type;                 // dtype; empty: not said or "auto"
  std::string kv_type;                     // of the KV cache; empty: not said or "auto"
  std::string attention;                   // the attention backend; empty: not said
  std::optional<bool> speculation;         // on or off
  std::string method;                      // "EAGLE", "eagle3", "mtp", "ngram"; empty: not said
  std::string draft_model;                 // path or name; empty: not said
  std::optional<int> draft_steps;          // SGLang's speculative_num_steps, vLLM's num_speculative_tokens
  std::optional<int> draft_width;          // SGLang's speculative_eagle_topk; 1 for vLLM
  std::optional<int> verify_rows;          // of one sequence: SGLang's num_draft_tokens, vLLM's tokens + 1
  std::optional<double> pool_tokens;       // that the KV cache of one rank holds
  std::map<std::string, std::string> all;  // every argument by its logged name, secrets masked

  bool empty() const { return all.empty(); }
};

}  // namespace ringside
