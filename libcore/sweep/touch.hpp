#pragma once

#include <set>
#include <vector>

#include "model/row.hpp"

namespace ringside {

enum class TouchOutcome {
  taken_off,
  no_time_left,  // more than a tenth of the samples were no longer than the touching alone
  not_known      // no more was it, but something else had the cores meanwhile
};

// Takes what touching the data takes alone off the samples of a launch; `touches_ns`: one of each round, not
// empty. Of a launch with disturbed rounds the others' count; of one without others the least.
TouchOutcome take_touch_off(std::vector<double> touches_ns, const std::set<int>& disturbed,
                            LaunchSamples& samples);

}  // namespace ringside
