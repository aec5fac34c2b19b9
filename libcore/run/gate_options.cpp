#include "run/gate_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "gate/cases.hpp"

namespace ringside {

const Calibration& GateOptions::read() const {
  constexpr std::size_t kMost = 64u << 20;
  if (!read_) read_ = read_calibration({*calibration, *calibration, read_input(*calibration, kMost)});
  return *read_;
}

std::optional<Calibration> GateOptions::find(const Fingerprint& machine) const {
  if (!calibration) return find_calibration(machine);
  return read();
}

void GateOptions::check_used(const std::vector<Case>& cases) const {
  if (!calibration) return;
  const Calibration& known = read();
  if (std::ranges::none_of(cases, [&](const Case& one) { return known.cases.contains(case_key(one)); }))
    throw UsageError(fmt::format(
        "--calibration {} would not be used: it has none of the cases that are compared", *calibration));
}

}  // namespace ringside
