#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Each speed with speculation beside the plain one that it can be compared with; where there is none, one
// entry that says why the nearest can't be. The interval of a ratio is of 90 %: from the spread of both over
// their windows, or 3 % of each that has one window.
std::vector<SpecMeasured> pair_speeds(const Inquiry& inquiry);

// The pair of this batch and number of drafts whose speeds can be compared, of a context within 25 %; null:
// there is none.
const SpecMeasured* pair_at(const std::vector<SpecMeasured>& pairs, const StepPoint& point);

}  // namespace ringside
