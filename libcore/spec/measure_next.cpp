#include "spec/measure_next.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "spec/speed_estimate.hpp"

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
  const std::string draft = own_draft(inquiry) ? fmt::format("\"model\": \"{}\", ", draft_path(inquiry)) : "";
  return fmt::format("--speculative-config '{{\"method\": \"{}\", {}\"num_speculative_tokens\": {}{}}}'",
                     vllm_method(kind), draft, drafts, more);
}

const char* purpose(NextRun run) {
  switch (run) {
    case NextRun::synthetic:
      return "one run with speculation, synthetic acceptance";
    case NextRun::accepting:
      return "one run with speculation on your own text";
    case NextRun::plain:
    case NextRun::none:
      break;
  }
  return "one run without speculation";
}

std::string ranks_text(const Inquiry& inquiry) {
  const bool known = inquiry.layout_known || inquiry.facts;
  return known ? std::to_string(inquiry.scenario.parallel.tp) : "N";
}

std::string benchmark_flags(const SpecEstimate& estimate) {
  return fmt::format(
      "--random-input-len {:.0f} --random-output-len 512 --max-concurrency {} --num-prompts {}",
      std::max(estimate.context - 256, 128.0), estimate.batch, estimate.batch * kPrompts);
}

SpecLines vllm_commands(const Inquiry& inquiry, const SpecEstimate& estimate, NextRun run) {
  const std::string model = model_path(inquiry);
  std::string serve = fmt::format("vllm serve {} --tensor-parallel-size {}", model, ranks_text(inquiry));
  std::string more;
  if (run == NextRun::synthetic) {
    more = fmt::format(", \"rejection_sample_method\": \"synthetic\", \"synthetic_acceptance_length\": {:g}",
                       synthetic_length(estimate));
  }
  if (run != NextRun::plain) serve += " " + vllm_config(inquiry, estimate.drafts, more);
  const char* const file = run == NextRun::plain ? "plain.json" : "spec.json";
  return {
      "vLLM",
      purpose(run),
      {serve,
       fmt::format("vllm bench serve --model {} --dataset-name random {} --save-result --result-filename {}",
                   model, benchmark_flags(estimate), file),
       fmt::format("ringside run-spec ... --from-bench {}", file)}};
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

SpecLines sglang_commands(const Inquiry& inquiry, const SpecEstimate& estimate, NextRun run) {
  const char* const file = run == NextRun::plain ? "plain.log" : "spec.log";
  std::string serve;
  if (run == NextRun::synthetic) {
    serve = fmt::format("SGLANG_SIMULATE_ACC_LEN={:g} SGLANG_SIMULATE_ACC_METHOD=match-expected ",
                        synthetic_length(estimate));
  }
  serve += fmt::format("python -m sglang.launch_server --model-path {} --tp {}", model_path(inquiry),
                       ranks_text(inquiry));
  if (run != NextRun::plain) serve += " " + sglang_flags(inquiry, estimate.drafts);
  return {
      "SGLang",
      purpose(run),
      {fmt::format("{} 2>&1 | tee {}", serve, file),
       "python -m sglang.bench_serving --backend sglang --dataset-name random " + benchmark_flags(estimate),
       fmt::format("ringside run-spec ... --from-log {}", file)}};
}

SpecLines tensorrt_commands(const Inquiry& inquiry, const SpecEstimate& estimate, NextRun run) {
  const std::string serve =
      fmt::format("trtllm-serve {} --tp_size {}", model_path(inquiry), ranks_text(inquiry));
  if (run == NextRun::plain) {
    return {"TensorRT-LLM",
            purpose(run),
            {serve, fmt::format("measure its tokens a second at {} running, then: ringside run-spec ... "
                                "--observe batch={},tokens_s=RATE",
                                estimate.batch, estimate.batch)}};
  }
  const bool synthetic = run == NextRun::synthetic;
  const int accepted =
      std::clamp(static_cast<int>(std::lround(synthetic_length(estimate))) - 1, 0, estimate.drafts);
  const std::string draft =
      own_draft(inquiry) ? fmt::format(", speculative_model_dir: {}", draft_path(inquiry)) : "";
  return {
      "TensorRT-LLM",
      purpose(run),
      {fmt::format("echo 'speculative_config: {{decoding_type: {}, max_draft_len: {}{}}}' > spec.yaml",
                   inquiry.workload.draft.kind == DraftKind::mtp ? "MTP" : "Eagle", estimate.drafts, draft),
       fmt::format("{}{} --extra_llm_api_options spec.yaml",
                   synthetic ? fmt::format("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS={} ", accepted) : "",
                   serve),
       fmt::format("measure its tokens a second at {} running, then: ringside run-spec ... --observe "
                   "batch={},drafts={},tokens_s=RATE,length={}",
                   estimate.batch, estimate.batch, estimate.drafts,
                   synthetic ? std::to_string(accepted + 1) : "LENGTH")}};
}

// The best number of drafts by batch, at the first context of the table.
std::vector<std::pair<int, int>> best_by_batch(const SpecEstimate& estimate) {
  std::vector<std::pair<int, int>> best;
  for (const SpecCell& cell : estimate.table) {
    if (cell.best && cell.context == estimate.table.front().context)
      best.emplace_back(cell.batch, cell.drafts);
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

NextMeasurement next_measurement(const Inquiry& inquiry, const SpecEstimate& estimate,
                                 const std::vector<Uncertainty>& uncertainties) {
  if (estimate.certainty == "measured") return {};
  const auto seen = [&](bool speculative) {
    return std::ranges::any_of(estimate.observations, [&](const SpecObserved& observed) {
      const bool possible = observed.used || observed.reason == kLengthUnknown;
      return observed.speculative == speculative && possible && std::lround(observed.batch) == estimate.batch;
    });
  };
  if (!seen(true)) {
    return {NextRun::synthetic,
            fmt::format("run speculation once at batch {}; synthetic acceptance will do", estimate.batch)};
  }
  if (!inquiry.acceptance) return {NextRun::accepting, "the acceptance length of your own text"};
  if (!seen(false))
    return {NextRun::plain,
            fmt::format("run the server once without speculation at batch {}", estimate.batch)};
  return {NextRun::none, uncertainties.empty() ? "" : uncertainties.front().remedy};
}

std::vector<SpecLines> commands_to_measure(const Inquiry& inquiry, const SpecEstimate& estimate,
                                           NextRun run) {
  if (run == NextRun::none) return {};
  switch (inquiry.workload.server.kind) {
    case ServerKind::vllm:
      return {vllm_commands(inquiry, estimate, run)};
    case ServerKind::sglang:
      return {sglang_commands(inquiry, estimate, run)};
    case ServerKind::trtllm:
      return {tensorrt_commands(inquiry, estimate, run)};
    case ServerKind::unknown:
      break;
  }
  return {vllm_commands(inquiry, estimate, run), sglang_commands(inquiry, estimate, run),
          tensorrt_commands(inquiry, estimate, run)};
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
    settings.push_back({"vLLM",
                        by_batch ? "drafts by batch (from, to, drafts)" : "drafts",
                        {vllm_config(inquiry, most, schedule)}});
  }
  counts.erase(0);
  settings.push_back({"SGLang", "drafts", {sglang_flags(inquiry, most)}});
  if (counts.size() > 1) {
    settings.push_back({"SGLang",
                        "adaptive file: it changes the drafts by acceptance, not by batch",
                        {fmt::format("{{\"candidate_steps\": [{}]}}", fmt::join(counts, ", ")),
                         "--speculative-adaptive --speculative-adaptive-config FILE"}});
  }
  return settings;
}

}  // namespace ringside
