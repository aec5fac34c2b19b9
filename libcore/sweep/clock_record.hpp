#pragma once

#include "model/row.hpp"

namespace ringside {

// Widens `record` to take in `more`.
void add_clocks(ClockRecord& record, const ClockRecord& more);

}  // namespace ringside
