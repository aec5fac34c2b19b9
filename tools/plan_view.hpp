#pragma once

#include <string>

#include "measure/plan.hpp"

namespace ringside {

// What `--plan` prints: the cases by message size, what is skipped and why, memory and time.
std::string plan_text(const Plan& plan, Bytes available_memory);

}  // namespace ringside
