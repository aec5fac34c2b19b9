#include "report/export/decision.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/views/headline.hpp"
#include "sweep/group_verdict.hpp"

namespace ringside {
namespace {

constexpr const char* kReference = "nccl-auto";

const Row* result(const DecisionBasis& basis, const SizeLine& line, const std::string& entry) {
  const Row* row = basis.block.row(line, entry);
  return has_result(row) ? row : nullptr;
}

// How the reference stands to an entry; nothing where one of them has no time.
std::optional<RatioVerdict> against_reference(const DecisionBasis& basis, const SizeLine& line,
                                              const std::string& entry) {
  const Row* a = result(basis, line, entry);
  const Row* b = result(basis, line, basis.reference);
  return a == nullptr || b == nullptr ? std::nullopt : std::optional(judge_pair(*a, *b));
}

}  // namespace

DecisionBasis decision_basis(const Document& document) {
  DecisionBasis basis{.document = &document, .block = {}, .reference = kReference};
  bool found = false;
  for (SweepBlock& block : sweep_blocks(document)) {
    const bool usable = block.collective == Collective::allreduce &&
                        std::ranges::find(block.entries, basis.reference) != block.entries.end();
    if (!usable || (found && (basis.block.mode == Mode::graph || block.mode != Mode::graph))) continue;
    basis.block = std::move(block);
    found = true;
  }
  if (!found)
    throw UsageError(fmt::format(
        "there is nothing to decide: no allreduce was measured with {} beside others", basis.reference));
  return basis;
}

std::optional<Margin> margin(const DecisionBasis& basis, const SizeLine& line, const std::string& entry) {
  const auto verdict = against_reference(basis, line, entry);
  if (!verdict || verdict->kind != RatioVerdict::Kind::a_wins) return std::nullopt;
  Margin margin{.ratio = verdict->ratio, .least = verdict->ratio};
  for (const auto& interval : verdict->launch_intervals) {
    if (interval) margin.least = std::min(margin.least, interval->low);
  }
  return margin;
}

bool loses(const DecisionBasis& basis, const SizeLine& line, const std::string& entry) {
  const auto verdict = against_reference(basis, line, entry);
  return verdict && verdict->kind == RatioVerdict::Kind::b_wins;
}

std::string margin_text(const Margin& margin) {
  return fmt::format("{}x (at least {}x)", format_three_digits(margin.ratio),
                     format_three_digits(margin.least));
}

std::string validity(const DecisionBasis& basis, std::string_view mark) {
  const Document& document = *basis.document;
  std::vector<std::string> lines = {
      "made by ringside report --export; valid for this box alone:",
      "machine  " + document.machine.name,
  };
  for (const auto& [name, value] : document.machine.facts) {
    const bool counts = name == "driver" || name == "cuda_driver" || name == "nccl" ||
                        name.ends_with("_name") || name.ends_with("_link") ||
                        name.find("_to_gpu") != std::string::npos;
    if (counts) lines.push_back(fmt::format("{:<8} {}", name, value));
  }
  lines.push_back(fmt::format("cases    {} on {}, {} ranks", basis.block.name(),
                              to_string(basis.block.device), basis.block.ranks));
  lines.push_back("method   " + method_line(document));
  lines.push_back(fmt::format("measured {} by {}", document.started, join(document.argv, " ")));
  lines.push_back(
      fmt::format("A choice beats {} beyond 1 % in each of three launches or more; a tie keeps {}.",
                  basis.reference, basis.reference));
  std::string text;
  for (const std::string& line : lines) text.append(mark).append(printable(line)) += '\n';
  return text;
}

const std::vector<DecisionFormat>& decision_formats() {
  static const std::vector<DecisionFormat> formats = {
      {"nccl-tuner", "the CSV of NCCL's example tuner plug-in", nccl_tuner_csv},
      {"env", "NCCL_ALGO and NCCL_PROTO, where one setting wins and never loses", nccl_environment},
      {"sglang", "thresholds of SGLang's custom allreduce", sglang_settings},
      {"vllm", "what of vLLM's allreduces to switch on or off", vllm_settings},
  };
  return formats;
}

}  // namespace ringside
