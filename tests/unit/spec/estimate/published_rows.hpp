#pragma once

#include <string>
#include <vector>

#include "spec/estimate/posterior.hpp"
#include "unit/spec/estimate/example_models.hpp"

// Published measurements of speculation, as their threads give them.
namespace ringside::example {

struct PublishedRow {
  StepPoint point;
  double tokens_s = 0;  // with speculation
  double length = 0;
};

struct PublishedBox {
  std::string source;
  ServerWorkload workload;
  double plain_tokens_s = 0;
  std::vector<PublishedRow> rows;
};

inline ServerWorkload published_workload(ModelFacts model, const std::string& gpu, int tp, DraftKind draft,
                                         const std::string& server) {
  ServerWorkload workload;
  workload.model = std::move(model);
  workload.gpu = gpu;
  workload.layout.tp = tp;
  workload.draft.kind = draft;
  workload.server = parse_server_software(server);
  return workload;
}

// Rows with both speeds and a length. vllm#16937 prints no lengths: those of the same experiment in #20780.
inline std::vector<PublishedBox> published_boxes() {
  constexpr double kContext = 700;  // MT-Bench: some hundred tokens in and out
  const auto chain = [](int drafts, double tokens_s, double length) {
    return PublishedRow{chain_point(1, drafts, kContext), tokens_s, length};
  };
  std::vector<PublishedBox> boxes;
  boxes.push_back(
      {"vllm#20780 EAGLE",
       published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle, "vllm@2025-07"),
       141.4,
       {chain(2, 228.8, 2.10), chain(3, 233.1, 2.29), chain(4, 223.2, 2.39), chain(7, 192.3, 2.47)}});
  boxes.push_back({"vllm#20780 EAGLE-3",
                   published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle3, "vllm@2025-07"),
                   141.4,
                   {chain(2, 231.5, 2.36), chain(3, 244.5, 2.79), chain(4, 246.9, 3.08),
                    chain(5, 242.1, 3.32), chain(6, 238.1, 3.46), chain(7, 233.1, 3.54)}});
  boxes.push_back({"vllm#16937 EAGLE",
                   published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle, "vllm@2025-04"),
                   133,
                   {chain(2, 201.7, 2.10), chain(4, 198, 2.39), chain(7, 169.9, 2.47)}});
  boxes.push_back({"vllm#16937 EAGLE-3",
                   published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle3, "vllm@2025-04"),
                   133,
                   {chain(2, 220.2, 2.36)}});
  boxes.push_back(
      {"sglang#4716",
       published_workload(llama_70b(), "h100_sxm", 8, DraftKind::eagle3, "sglang@2025-03"),
       88.6,
       {{tree_point(1, 8, 8, 64, kContext), 234.5, 5.88}, {tree_point(1, 8, 8, 64, kContext), 100.4, 2.42}}});
  boxes.push_back({"sglang#3582",
                   published_workload(deepseek_v3(), "h200_sxm", 8, DraftKind::mtp, "sglang@2025-02"),
                   43.8,
                   {{tree_point(1, 2, 4, 4, kContext), 77, 2.75}}});
  return boxes;
}

}  // namespace ringside::example
