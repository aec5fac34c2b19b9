#pragma once

#include <optional>
#include <span>
#include <vector>

#include "report/views/blocks.hpp"
#include "report/writer.hpp"

namespace ringside {

// The blocks of several Documents that hold the same cases: collective, device, ranks, dtype and mode agree.
struct MatchedBlocks {
  std::vector<std::optional<SweepBlock>> of;  // one for each Document; absent: it has no such block

  const SweepBlock& first() const;  // of those that are there
};

// In the order in which the Documents mention them.
std::vector<MatchedBlocks> match_blocks(std::span<const NamedDocument> documents);

}  // namespace ringside
