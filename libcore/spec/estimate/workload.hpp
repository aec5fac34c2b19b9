#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "model/row.hpp"
#include "served/model_facts.hpp"

namespace ringside {

// How a model is spread over the GPUs of a server.
struct ServingLayout {
  int tp = 1;             // GPUs that share a layer's matrices
  int attention_dp = 1;   // DP attention: groups of GPUs with sequences and KV of their own; divides tp
  int ep = 1;             // GPUs that share whole experts; 1: every expert is cut by tp
  bool alltoall = false;  // with ep: dispatch and combine. Without: an allreduce, as in tensor parallelism
  int pp = 1;             // stages; above 1 the model is not calibrated (slow prior, never firm)

  int attention_tp() const { return tp / attention_dp; }
  bool operator==(const ServingLayout&) const = default;
};

// What the kind and the age of the server's software say of its fixed times.
enum class ServerKind { unknown, vllm, sglang, trtllm };
enum class SoftwareAge { unknown, half1_2025, half2_2025, half1_2026, half2_2026 };

std::string_view to_string(ServerKind kind);
std::string_view table_key(ServerKind kind);  // in embedded tables: "vllm"; "unknown"
std::string_view to_string(SoftwareAge age);  // "2025 H1"

struct ServerSoftware {
  ServerKind kind = ServerKind::unknown;
  SoftwareAge age = SoftwareAge::unknown;
  std::string version;  // as given; empty: not known
};

// "vllm@0.20", "sglang@0.5.9", "trtllm@1.2", "vllm", "2026-03", "vllm@2026-03". Throws UsageError.
ServerSoftware parse_server_software(std::string_view text);

enum class DraftKind { none, mtp, separate, eagle, eagle3, ngram };

// eagle, eagle3, mtp (nextn), draft_model (standalone), ngram; upper or lower case. Throws UsageError.
DraftKind parse_draft_kind(std::string_view text);

// What drafts. An EAGLE draft without facts is a dense layer as large as the model's own.
struct DraftModel {
  DraftKind kind = DraftKind::none;
  std::optional<ModelFacts> facts;  // separate, eagle, eagle3: from its own config.json
  double vocabulary = 0;            // of its head; 0: the model's
  int tp = 0;                       // GPUs that it runs on; 0: as the model
};

// How long a collective takes. `at` gives microseconds for the bytes that each rank contributes.
struct CollectiveTimes {
  std::function<double(double bytes)> at_us;
  Origin origin = Origin::modelled;
  std::string source;
  double factor = 1.3;  // one sigma of the factor between these times and the server's own

  explicit operator bool() const { return static_cast<bool>(at_us); }
};

// Times by bytes -> microseconds: evenly in both logarithms between sizes; the ends go on as the last two
// (never below the smallest size's time).
CollectiveTimes collective_times(std::map<double, double> us, Origin origin, std::string source,
                                 double factor = 1.1);

// The published times of this type of GPU: the server's kind of kernel where it is recorded, else NCCL's.
// None where nothing is published.
CollectiveTimes published_allreduce(std::string_view gpu, int ranks);

// A server, its model and its speculation: everything but the point that it works at.
struct ServerWorkload {
  ModelFacts model;
  ServingLayout layout;
  DraftModel draft;
  std::string gpu;         // name of a prior (gpu_prior_names()); empty or other: unknown, never firm
  double memory_gbps = 0;  // of an unknown GPU; 0: not known
  ServerSoftware server;
  CollectiveTimes allreduce;   // empty: published_allreduce(), else modelled
  CollectiveTimes alltoall;    // empty: from the allreduce's
  double kv_bytes = 2;         // of one number of the KV cache
  bool graphs_proven = false;  // a log shows graphs at the rows of speculation
  double captured_rows = 0;    // largest batch x rows that a graph was captured for; 0: not known
  std::string without_gpu;     // priors as they are without that type's rows, for scores; empty: all rows
  bool other_vendor = false;   // not NVIDIA: slow prior 30 %
};

}  // namespace ringside
