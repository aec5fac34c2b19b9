#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Each speed with speculation beside the plain one that it can be compared with; where there is none, one
// entry that says why the nearest can't be. The interval of a ratio is of 90 %: from the spread of both over
// their windows, or 3 % of each that has one window.
std::vector<SpecMeasured> pair_speeds(const Inquiry& inquiry);

// The pair that decides a point: of its batch and number of drafts, of a context within 25 %, and of the
// acceptance length that is asked about within 3 %. Null: there is none.
const SpecMeasured* binding_pair(const Inquiry& inquiry, const std::vector<SpecMeasured>& pairs,
                                 const StepPoint& point);

// Why a speed can be that of no server, whatever the model; empty: it can.
std::string impossible_speed(double tokens_s, double batch);

}  // namespace ringside
