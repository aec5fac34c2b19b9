#pragma once

#include <optional>
#include <string>

#include "gate/compare.hpp"

namespace ringside {

// What decides about a comparison, wherever its launches come from.
struct GateOptions {
  std::optional<std::string> calibration;  // a file in the place of the stored one
  FailOn fail_on = FailOn::regress;

  // That of the file that was named, else that of `machine`, if there is one. Throws UsageError.
  std::optional<Calibration> find(const Fingerprint& machine) const;
};

}  // namespace ringside
