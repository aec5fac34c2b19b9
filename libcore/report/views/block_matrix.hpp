#pragma once

#include <string>
#include <vector>

#include "report/view.hpp"
#include "report/views/blocks.hpp"

namespace ringside {

// Sizes down, entries across, then the verdict, the bus bandwidth of the best and how near it comes to the
// floor.
Matrix block_matrix(const SweepBlock& block);

// The matrices of all blocks of a Document, each with what has been published for it, what their symbols
// mean, and what is no part of the floor or why it is not known.
void add_block_matrices(const Document& document, const std::vector<SweepBlock>& blocks,
                        std::vector<Section>& sections);

}  // namespace ringside
