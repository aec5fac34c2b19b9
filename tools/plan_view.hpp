#pragma once

#include <cstddef>
#include <string>

#include "sweep/plan.hpp"

namespace ringside {

// What `--plan` prints: the cases by message size, what is skipped and why, memory and time, in lines of
// at most `width` columns.
std::string plan_text(const Plan& plan, Bytes available_memory, std::size_t width);

}  // namespace ringside
