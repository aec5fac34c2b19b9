#pragma once

#include <vector>

#include "model/document.hpp"
#include "stats/verdict.hpp"

namespace ringside {

// Who wins among the passed rows of one group (not empty). A winner must beat every other by the rule of
// stats/verdict.hpp; else the ones that can't be told apart from the fastest are tied. Neither is said where
// the fastest took no turns with some of them (LaunchSamples::turn_group).
GroupVerdict judge_rows(const std::vector<const Row*>& rows, int launches_wanted);

// Two rows of one group by the same rule, over the launches in which both took turns.
RatioVerdict judge_pair(const Row& a, const Row& b);

// The verdict as a Finding of kind "winner", "tie" or "alone" for people who read the list.
Finding describe_verdict(const GroupVerdict& verdict, const std::vector<const Row*>& rows);

}  // namespace ringside
