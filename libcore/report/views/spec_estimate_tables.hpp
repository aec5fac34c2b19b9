#pragma once

#include <string>
#include <vector>

#include "model/spec_estimate.hpp"
#include "report/grid.hpp"

namespace ringside {

// "3 drafts at batch 8, context 2K, TP8, acceptance length 2.40 (measured)": what titles carry.
std::string question_text(const SpecEstimate& estimate);

// Pairs of measured speeds where there are several; the drafts of one batch, or what to take at each batch
// (10 lines; `all`: every line, and all numbers of drafts); observations beside the model.
std::vector<TitledGrid> estimate_tables(const SpecEstimate& estimate, bool all);

}  // namespace ringside
