#include "spec/measure_next.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr int kPrompts = 8;  // of each running sequence, in a benchmark

// The first thing that a reading's server says, or this.
std::string said(const Inquiry& inquiry, std::string LoggedArguments::*what, const char* otherwise) {
  for (const ObservedReading& observed : inquiry.observations) {
    const std::string& text = observed.reading.arguments.*what;
    if (!text.empty()) return text;
  }
  return otherwise;
}

std::string model_path(const Inquiry& inquiry) {
  return said(inquiry, &LoggedArguments::model, "MODEL");
}

std::string draft_path(const Inquiry& inquiry) {
  return said(inquiry, &LoggedArguments::draft_model, "DRAFT");
}

bool own_draft(const Inquiry& inquiry) {
  const DraftKind kind = inquiry.workload.draft.kind;
  return kind == DraftKind::eagle || kind == DraftKind::eagle3 || kind == DraftKind::separate;
}

const char* vllm_method(DraftKind kind) {
  switch (kind) {
    case DraftKind::mtp:
      return "mtp";
    case DraftKind::eagle:
      return "eagle";
    case DraftKind::ngram:
      return "ngram";
    case DraftKind::separate:
      return "draft_model";
    case DraftKind::eagle3:
    case DraftKind::none:
      break;
  }
  return "eagle3";
}

const char* sglang_algorithm(DraftKind kind) {
  switch (kind) {
    case DraftKind::eagle3:
      return "EAGLE3";
    case DraftKind::ngram:
      return "NGRAM";
    case DraftKind::separate:
      return "STANDALONE";
    default:
      return "EAGLE";  // its name for a model's own MTP layers too
  }
}

// The length that a run is to have, with what is known.
double synthetic_length(const SpecEstimate& estimate) {
  const double most = estimate.drafts + 1;
  double length = (1 + most) / 2;
  if (estimate.length)
    length = estimate.length->median;
  else if (estimate.break_even_length)
    length = estimate.break_even_length->median;
  return std::clamp(std::round(length * 100) / 100, 1.0, most);
}

std::string vllm_config(const Inquiry& inquiry, int drafts, const std::string& more) {
  const DraftKind kind = inquiry.workload.draft.kind;
  const std::string draft =
      own_draft(inquiry) ? fmt::format("\"model\": \"{}\", ", draft_path(inquiry)) : "";
  return fmt::format("--speculative-config '{{\"method\": \"{}\", {}\"num_speculative_tokens\": {}{}}}'",
                     vllm_method(kind), draft, drafts, more);
}

SpecLines vllm_commands(const Inquiry& inquiry, const SpecEstimate& estimate) {
  const std::string model = model_path(inquiry);
  const std::string synthetic = fmt::format(
      ", \"rejection_sample_method\": \"synthetic\", \"synthetic_acceptance_length\": {:g}",
      synthetic_length(estimate));
  return {"vLLM",
          "one run with speculation, synthetic acceptance",
          {fmt::format("vllm serve {} --tensor-parallel-size {} {}", model, inquiry.scenario.parallel.tp,
                       vllm_config(inquiry, estimate.drafts, synthetic)),
           fmt::format("vllm bench serve --model {} --dataset-name random --random-input-len {:.0f} "
                       "--random-output-len 512 --max-concurrency {} --num-prompts {} --save-result "
                       "--result-filename spec.json",
                       model, std::max(estimate.context - 256, 128.0), estimate.batch,
                       estimate.batch * kPrompts),
           "ringside run-spec ... --from-bench spec.json"}};
}

std::string sglang_flags(const Inquiry& inquiry, int drafts) {
  const std::string draft =
      own_draft(inquiry) ? fmt::format(" --speculative-draft-model-path {}", draft_path(inquiry)) : "";
  const SpeculationShape& shape = inquiry.scenario.speculation;
  const int rows = shape.top_k > 1 ? shape.draft_tokens : drafts + 1;
  return fmt::format(
      "--speculative-algorithm {}{} --speculative-num-steps {} --speculative-eagle-topk {} "
      "--speculative-num-draft-tokens {}",
      sglang_algorithm(inquiry.workload.draft.kind), draft, drafts, shape.top_k, rows);
}

SpecLines sglang_commands(const Inquiry& inquiry, const SpecEstimate& estimate) {
  return {"SGLang",
          "one run with speculation, synthetic acceptance",
          {fmt::format("SGLANG_SIMULATE_ACC_LEN={:g} SGLANG_SIMULATE_ACC_METHOD=match-expected python -m "
                       "sglang.launch_server --model-path {} --tp {} {} 2>&1 | tee spec.log",
                       synthetic_length(estimate), model_path(inquiry), inquiry.scenario.parallel.tp,
                       sglang_flags(inquiry, estimate.drafts)),
           fmt::format("python -m sglang.bench_serving --backend sglang --dataset-name random "
                       "--random-input-len {:.0f} --random-output-len 512 --max-concurrency {} "
                       "--num-prompts {}",
                       std::max(estimate.context - 256, 128.0), estimate.batch, estimate.batch * kPrompts),
           "ringside run-spec ... --from-log spec.log"}};
}

SpecLines tensorrt_commands(const Inquiry& inquiry, const SpecEstimate& estimate) {
  const DraftKind kind = inquiry.workload.draft.kind;
  const int accepted =
      std::clamp(static_cast<int>(std::lround(synthetic_length(estimate))) - 1, 0, estimate.drafts);
  const std::string draft =
      own_draft(inquiry) ? fmt::format(", speculative_model_dir: {}", draft_path(inquiry)) : "";
  return {"TensorRT-LLM",
          fmt::format("one run with speculation, {} accepted drafts a step", accepted),
          {fmt::format("echo 'speculative_config: {{decoding_type: {}, max_draft_len: {}{}}}' > spec.yaml",
                       kind == DraftKind::mtp ? "MTP" : "Eagle", estimate.drafts, draft),
           fmt::format("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS={} trtllm-serve {} --tp_size {} "
                       "--extra_llm_api_options spec.yaml",
                       accepted, model_path(inquiry), inquiry.scenario.parallel.tp),
           fmt::format("measure its tokens a second at {} running, then: ringside run-spec ... --observe "
                       "batch={},drafts={},tokens_s=RATE,length={}",
                       estimate.batch, estimate.batch, estimate.drafts, accepted + 1)}};
}

// The best number of drafts by batch, at the first context of the table.
std::vector<std::pair<int, int>> best_by_batch(const SpecEstimate& estimate) {
  std::vector<std::pair<int, int>> best;
  for (const SpecCell& cell : estimate.table) {
    if (cell.best && cell.context == estimate.table.front().context) best.emplace_back(cell.batch, cell.drafts);
  }
  return best;
}

// "[[1, 4, 3], [5, 16, 1]]": from batch, to batch, drafts.
std::string vllm_schedule(const std::vector<std::pair<int, int>>& best) {
  std::vector<std::string> parts;
  int from = 1;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (i + 1 < best.size() && best[i + 1].second == best[i].second) continue;
    parts.push_back(fmt::format("[{}, {}, {}]", from, best[i].first, best[i].second));
    from = best[i].first + 1;
  }
  return "[" + join(parts, ", ") + "]";
}

}  // namespace

std::string next_measurement(const Inquiry& inquiry, const SpecEstimate& estimate,
                             const std::vector<Uncertainty>& uncertainties) {
  if (estimate.certainty == "measured") return "";
  const bool speculated = std::ranges::any_of(estimate.observations, [&](const SpecObserved& observed) {
    return observed.speculative && observed.used && std::lround(observed.batch) == estimate.batch;
  });
  if (!speculated)
    return fmt::format("run speculation once at batch {}; synthetic acceptance will do", estimate.batch);
  if (!inquiry.acceptance) return "the acceptance length of your own text";
  const bool plain = std::ranges::any_of(estimate.observations, [&](const SpecObserved& observed) {
    return !observed.speculative && std::lround(observed.batch) == estimate.batch;
  });
  if (!plain) return fmt::format("run the server once without speculation at batch {}", estimate.batch);
  return uncertainties.empty() ? "" : uncertainties.front().remedy;
}

std::vector<SpecLines> commands_to_measure(const Inquiry& inquiry, const SpecEstimate& estimate) {
  switch (inquiry.workload.server.kind) {
    case ServerKind::vllm:
      return {vllm_commands(inquiry, estimate)};
    case ServerKind::sglang:
      return {sglang_commands(inquiry, estimate)};
    case ServerKind::trtllm:
      return {tensorrt_commands(inquiry, estimate)};
    case ServerKind::unknown:
      break;
  }
  return {vllm_commands(inquiry, estimate), sglang_commands(inquiry, estimate),
          tensorrt_commands(inquiry, estimate)};
}

std::vector<SpecLines> settings_to_paste(const Inquiry& inquiry, const SpecEstimate& estimate) {
  const std::vector<std::pair<int, int>> best = best_by_batch(estimate);
  if (best.empty()) return {};
  std::set<int> counts;
  for (const auto& [batch, drafts] : best) counts.insert(drafts);
  const int most = *counts.rbegin();
  if (most == 0) return {};
  std::vector<SpecLines> settings;
  const bool by_batch = counts.size() > 1;
  const bool tree = inquiry.scenario.speculation.top_k > 1;
  if (!tree) {
    const std::string schedule =
        by_batch ? ", \"num_speculative_tokens_per_batch_size\": " + vllm_schedule(best) : "";
    settings.push_back({"vLLM", by_batch ? "drafts by batch (from, to, drafts)" : "drafts",
                        {vllm_config(inquiry, most, schedule)}});
  }
  counts.erase(0);
  settings.push_back({"SGLang", "drafts", {sglang_flags(inquiry, most)}});
  if (counts.size() > 1) {
    settings.push_back(
        {"SGLang", "adaptive file: it changes the drafts by acceptance, not by batch",
         {fmt::format("{{\"candidate_steps\": [{}]}}", fmt::join(counts, ", ")),
          "--speculative-adaptive --speculative-adaptive-config FILE"}});
  }
  return settings;
}

}  // namespace ringside
