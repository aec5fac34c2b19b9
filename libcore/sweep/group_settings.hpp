#pragma once

#include "launch/rank_group.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// How the ranks of a request are started, each with an arena of this size and this environment. On the host
// each has a core of its own where there are enough; else none is pinned and the scheduler shares them out.
GroupSettings group_settings(const SweepRequest& request, const PlannedRanks& ranks);

}  // namespace ringside
