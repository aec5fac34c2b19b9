#pragma once

#include "sweep/group_attempt.hpp"
#include "sweep/renewable_group.hpp"
#include "sweep/sweep_rows.hpp"

namespace ringside {

// Whether any case of the plan asks a library that may do something else.
bool asks_anything(const Plan& plan);

// For every open case that asks something of a library: makes one call on `ranks`, a group of its own that
// was started to report (DeviceSettings::report), and notes in `rows` what the library says it ran. A case
// that fails here fails; the group is renewed for the next one. Cases that differ in mode or entry only are
// tried once.
void read_back(const Plan& plan, RenewableGroup& ranks, SweepRows& rows, const AttemptHooks& hooks);

}  // namespace ringside
