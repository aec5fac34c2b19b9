#pragma once

#include <vector>

#include "model/row.hpp"

namespace ringside {

// Notes in the passed rows of one group how each stands beside the reference (nccl-auto; on the host device
// ring) and beside the fastest of NCCL's rows, by the rule of stats/verdict.hpp. What was there is replaced.
void note_ratios(const std::vector<Row*>& rows);

// Leaves out what note_ratios() has noted: the row's launches are others now.
void forget_ratios(Row& row);

}  // namespace ringside
