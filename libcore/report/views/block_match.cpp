#include "report/views/block_match.hpp"

#include <algorithm>
#include <utility>

namespace ringside {
namespace {

bool same_cases(const SweepBlock& a, const SweepBlock& b) {
  return a.collective == b.collective && a.device == b.device && a.ranks == b.ranks && a.dtype == b.dtype &&
         a.mode == b.mode;
}

}  // namespace

const SweepBlock& MatchedBlocks::first() const {
  return **std::ranges::find_if(of, [](const auto& block) { return block.has_value(); });
}

std::vector<MatchedBlocks> match_blocks(std::span<const NamedDocument> documents) {
  std::vector<MatchedBlocks> matched;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (SweepBlock& block : sweep_blocks(*documents[i].document)) {
      auto group = std::ranges::find_if(
          matched, [&](const MatchedBlocks& known) { return same_cases(known.first(), block); });
      if (group == matched.end()) {
        group = matched.insert(matched.end(), MatchedBlocks{});
        group->of.resize(documents.size());
      }
      group->of[i] = std::move(block);
    }
  }
  return matched;
}

}  // namespace ringside
