#pragma once

#include <utility>
#include <vector>

#include "model/document.hpp"

namespace ringside {

// The rows of a case on both sides.
using RowPair = std::pair<const Row*, const Row*>;  // base, new

// Adds a Finding "conditions-differ" to a comparison when its sides were not measured alike: environment,
// build, another table of a strategy that takes its kernels from one, an interruption.
//
// "custom's table: built-in table fnv1a:… and /…/custom/2x-GPU-….toml fnv1a:…": tables are the same when
// their texts are, wherever they lie; a row that does not say which one it was is no difference.
void note_conditions(Document& result, const Document& base, const Document& now,
                     const std::vector<RowPair>& cases);

// Adds a Finding "ran-differs", one for each strategy, where the rows of a case say that different kernels
// ran; `row` of `result` points to it. A warning where the tables are different, else a note.
void note_other_kernel(Document& result, Row& row, const RowPair& rows);

}  // namespace ringside
