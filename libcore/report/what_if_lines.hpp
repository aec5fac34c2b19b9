#pragma once

#include <string>
#include <vector>

#include "model/init_trace.hpp"

namespace ringside {

// Counterfactuals as a person reads them: those that differ in the last value alone share a line.
struct WhatIfLine {
  std::string changes;  // "--moe-runner-backend auto (or cutlass, triton)"
  std::string outcome;
  std::string gives_up;
};

// In the order of `counterfactuals`, each line at the place of its first.
std::vector<WhatIfLine> what_if_lines(const std::vector<Counterfactual>& counterfactuals);

}  // namespace ringside
