#pragma once

#include <string>

#include "model/document.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// Why a case has no time on a machine that had other work: "machine-busy".
Finding busy_machine(const Case& params, const std::string& why);

// Whether some case has no time for that reason.
bool misses_a_time(const Document& document);

// What the rows of a finished sweep say of each other: takes the time from rows that lie below their floor
// ("impossible-time"), notes the ratios of the others, and adds a verdict and its Finding for each size,
// dtype and mode. The rows are those of the plan's cases, in their order.
void judge_sweep(const Plan& plan, Document& document);

}  // namespace ringside
