#pragma once

#include <string>
#include <vector>

#include "machine/profile.hpp"

namespace ringside {

// What the machine's estimates of these cases were fitted to and how far they are off, in one line:
// "nccl-auto to NCCL 2.29.2 on H200: 5 % off in the middle, 13 % at most; assumed, not fitted: custom,
// nccl-ring". Of several strategies with the same source the largest errors.
std::string fit_text(const MachineProfile& machine, const std::vector<Case>& cases);

}  // namespace ringside
