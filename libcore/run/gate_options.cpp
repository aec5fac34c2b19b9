#include "run/gate_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "gate/cases.hpp"

namespace ringside {
namespace {

Calibration read(const std::string& file) {
  constexpr std::size_t kMost = 64u << 20;
  return read_calibration({file, file, read_input(file, kMost)});
}

}  // namespace

std::optional<Calibration> GateOptions::find(const Fingerprint& machine) const {
  if (!calibration) return find_calibration(machine);
  return read(*calibration);
}

void GateOptions::check_used(const std::vector<Case>& cases) const {
  if (!calibration) return;
  const Calibration known = read(*calibration);
  if (std::ranges::none_of(cases, [&](const Case& one) { return known.cases.contains(case_key(one)); }))
    throw UsageError(fmt::format(
        "--calibration {} would not be used: it has none of the cases that are compared", *calibration));
}

}  // namespace ringside
