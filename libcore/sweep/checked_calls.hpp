#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "sweep/group_attempt.hpp"
#include "sweep/renewable_group.hpp"

namespace ringside {

// From here on verification takes longer than timing.
inline constexpr Bytes kLongToVerify = 64_KiB;

// How many calls in a row of a case are checked, and in what time: a tenth of what each of `cases` cases may
// take in all launches. What only shows after 65,536 calls, as a count of 16 bits does, is looked for in
// graphs, where calls are fastest.
void plan_checks(const SweepRequest& request, std::size_t cases, const Case& params,
                 AttemptSettings& settings);

// What was verified, in one sentence. `cut`: for want of time some cases were verified less.
std::string describe_checks(bool cut);

struct CheckFailure {
  TurnFailure failure;
  bool wrong_data = false;
};

// Has every call of a row of calls checked: as many as the settings ask for, if they fit into check_time, and
// 40 in any case, unless the budget is firm and they would take a large part of what is left of it. Adds to
// the result's verification what was checked. A library that is wrong only behind a producer that writes late
// is noted there as unsafe, and is no failure.
std::optional<CheckFailure> check_calls_in_a_row(RenewableGroup& ranks, int slot, const Candidate& candidate,
                                                 const AttemptSettings& settings, const Clock& clock,
                                                 CandidateResult& result);

}  // namespace ringside
