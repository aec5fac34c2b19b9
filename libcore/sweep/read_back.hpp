#pragma once

#include "sweep/group_attempt.hpp"
#include "sweep/renewable_group.hpp"
#include "sweep/sweep_rows.hpp"

namespace ringside {

// Whether any case of the plan asks a library that may do something else.
bool asks_anything(const Plan& plan);

// For every open case of `rank_group` that asks something of a library: makes one call on `ranks`, a group
// that is started like that one, but to report (DeviceSettings::report), and notes in `rows` what the library
// says it ran; in graph mode, when the call was captured. A case that fails here fails; the group is renewed
// for the next one. Cases that differ in their entry only are tried once.
void read_back(const Plan& plan, std::size_t rank_group, RenewableGroup& ranks, SweepRows& rows,
               const AttemptHooks& hooks);

}  // namespace ringside
