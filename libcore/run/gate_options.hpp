#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/compare.hpp"
#include "model/case.hpp"

namespace ringside {

// What decides about a comparison, wherever its launches come from.
struct GateOptions {
  std::optional<std::string> calibration;  // a file in the place of the stored one
  FailOn fail_on = FailOn::regress;

  // That of the file that was named, else that of `machine`, if there is one. Throws UsageError.
  std::optional<Calibration> find(const Fingerprint& machine) const;

  // Throws UsageError where the file that was named could have no part in judging these cases: it has none of
  // them.
  void check_used(const std::vector<Case>& cases) const;

 private:
  const Calibration& read() const;
  mutable std::optional<Calibration> read_;  // the file's, read once: it may be a pipe
};

}  // namespace ringside
