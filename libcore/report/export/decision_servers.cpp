// Decisions between NCCL and the allreduce kernels that servers bring along. Ours stand in for theirs: the
// same algorithm, not the same code.
#include <fmt/format.h>

#include <algorithm>

#include "report/export/decision.hpp"

namespace ringside {
namespace {

// How far an algorithm is the better choice, from the smallest size on.
struct Reach {
  std::uint64_t bytes = 0;  // the largest size up to which it wins everywhere; 0: not even the smallest
  Margin closest;           // where it wins by least
  bool measured = false;
  bool loses_everywhere = true;
};

// At each size the best of the entries of one algorithm counts.
Reach reach(const DecisionBasis& basis, std::string_view family) {
  Reach found;
  bool unbroken = true;
  for (const SizeLine& line : basis.block.lines) {
    std::optional<Margin> best;
    bool lost = false;
    for (const std::string& entry : basis.block.entries) {
      const Row* row = basis.block.row(line, entry);
      if (!has_result(row) || row->params.family != family) continue;
      found.measured = true;
      const std::optional<Margin> won = margin(basis, line, entry);
      if (won && (!best || won->ratio > best->ratio)) best = won;
      lost = lost || loses(basis, line, entry);
    }
    if (best || !lost) found.loses_everywhere = false;
    unbroken = unbroken && best.has_value();
    if (!unbroken) continue;
    if (found.bytes == 0 || best->least < found.closest.least) found.closest = *best;
    found.bytes = line.bytes.count;
  }
  return found;
}

std::string threshold(const char* variable, const char* what, const Reach& reach) {
  if (!reach.measured) return fmt::format("# {}: not measured\n", what);
  if (reach.bytes == 0)
    return fmt::format("# {}: does not beat NCCL at the smallest size; left as it is\n", what);
  return fmt::format("# {} wins up to {}, by {} where it is closest\n{}={}\n", what,
                     format_size({reach.bytes}), margin_text(reach.closest), variable, reach.bytes / 1024);
}

constexpr const char* kStandIn =
    "# ringside's kernels stand in for the server's: the same algorithm, not the same code. Check with the "
    "server.\n";

}  // namespace

std::string sglang_settings(const DecisionBasis& basis) {
  const Reach push = reach(basis, "custom-push"), pull = reach(basis, "custom-pull");
  std::string text = validity(basis) + kStandIn +
                     threshold("SGLANG_FORCE_CUSTOM_ALL_REDUCE_V2_PUSH_SIZE_KB", "one-shot push", push) +
                     threshold("SGLANG_FORCE_CUSTOM_ALL_REDUCE_V2_PULL_SIZE_KB", "one-shot pull", pull);
  if (const std::uint64_t most = std::max(push.bytes, pull.bytes); most > 0)
    text += fmt::format("SGLANG_CUSTOM_ALL_REDUCE_V2_MAX_SIZE_KB={}\n", most / 1024);
  const bool useless = (push.measured || pull.measured) && (!push.measured || push.loses_everywhere) &&
                       (!pull.measured || pull.loses_everywhere);
  if (useless) text += "# NCCL wins at every size: start the server with --disable-custom-all-reduce\n";
  return text;
}

std::string vllm_settings(const DecisionBasis& basis) {
  constexpr int kFewestRanks = 4;  // from which vLLM looks at NCCL's symmetric memory
  const Reach pull = reach(basis, "custom-pull"), symmetric = reach(basis, "nccl-symmetric");
  std::string text = validity(basis) + kStandIn;
  if (!pull.measured) {
    text += "# custom allreduce (one-shot pull): not measured\n";
  } else if (pull.loses_everywhere) {
    text += "# NCCL beats one-shot pull at every size: start the server with --disable-custom-all-reduce\n";
  } else {
    text +=
        pull.bytes == 0
            ? "# one-shot pull does not beat NCCL at the smallest size; custom allreduce left on, as it is\n"
            : fmt::format(
                  "# one-shot pull wins up to {}, by {} where it is closest: custom allreduce "
                  "stays on, as it is\n",
                  format_size({pull.bytes}), margin_text(pull.closest));
  }
  if (symmetric.bytes > 0 && basis.block.ranks >= kFewestRanks) {
    text += fmt::format(
        "# NCCL's symmetric kernels win up to {}, by {} where it is closest\nVLLM_USE_NCCL_SYMM_MEM=1\n",
        format_size({symmetric.bytes}), margin_text(symmetric.closest));
  } else {
    text += symmetric.bytes > 0
                ? "# NCCL's symmetric kernels win, but vLLM takes them from 4 ranks on only\n"
                : "# NCCL's symmetric memory: no gain from the smallest size on; left as it is\n";
  }
  return text;
}

}  // namespace ringside
