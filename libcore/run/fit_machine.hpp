#pragma once

#include <string>
#include <vector>

#include "sweep/fit_cost.hpp"

namespace ringside {

// A machine profile that was fitted to a result.
struct FittedMachine {
  std::vector<CostFit> fits;
  std::string profile;  // TOML, for --machine
};

// Reads the result, a file of --json. Throws UsageError that names it.
FittedMachine fit_machine(const std::string& result);

}  // namespace ringside
