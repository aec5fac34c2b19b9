#pragma once

#include <optional>
#include <vector>

#include "model/interval.hpp"
#include "model/row.hpp"

namespace ringside {

// The link's own floor is measured without any strategy, in every launch: where it moved, the machine did, as
// when a guest's cores are moved to others, or a link came up slower.

// In ns, of the launches. Empty: it was not measured, or not kept (results before schema 1.4.0).
std::vector<double> sorted_floors(const Row& row);

// Their median; where there are none, the least, which the row has.
std::optional<double> typical_floor(const Row& row);

// The floors between which the link moved while a side was measured: all but the outermost fifths of the
// launches, one at least, don't lie close together. Nothing where they do, or there are fewer than four.
std::optional<Interval> moved_floors(const std::vector<double>& sorted_floors);

// By more than 75 %: on shared cores the median of five launches' floors repeats within two thirds, and a
// guest whose cores are moved to others sees it change by three times. Both are above 0.
bool floors_differ(double one_ns, double other_ns);

}  // namespace ringside
