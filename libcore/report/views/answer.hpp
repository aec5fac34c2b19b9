#pragma once

#include <string>
#include <vector>

#include "report/view.hpp"
#include "report/views/blocks.hpp"

namespace ringside {

// "custom, 1.32x", "tie (custom, symmetric)", or "-" where nothing was compared.
std::string verdict_text(const GroupVerdict* verdict);

// The one line that answers which strategy wins: "custom wins 9 of 14 sizes (2K to 512K) by 1.12x to 2.31x,
// symmetric wins 3 (1M to 4M) by 1.08x, tie at 2 (8M, 16M)". Empty where the block has fewer than two
// candidates.
std::string answer(const SweepBlock& block);

// Those of all blocks that have one.
Answers block_answers(const std::vector<SweepBlock>& blocks);

}  // namespace ringside
