#pragma once

#include "model/document.hpp"
#include "strategy/custom_table.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// Makes a request measure what `custom` may stand for: its candidates, unless strategies were named. Throws
// UsageError where there is nothing to tune: `custom` of the host device finds its way by itself.
void request_tuning(SweepRequest& request, bool strategies_named);

// The table that the rows of such a sweep amount to: for each mode the strategy with the smallest median at
// each size of the first dtype. A strategy keeps the sizes next to its own where it is at most 1 % slower
// than the fastest. Throws EnvironmentError when a mode has no candidate that was measured.
CustomTable tuned_table(const Document& document, const SweepRequest& request);

}  // namespace ringside
