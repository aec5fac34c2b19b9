#include "run/gate_options.hpp"

#include "base/input_file.hpp"

namespace ringside {

std::optional<Calibration> GateOptions::find(const Fingerprint& machine) const {
  if (!calibration) return find_calibration(machine);
  constexpr std::size_t kMost = 64u << 20;
  return read_calibration({*calibration, *calibration, read_input(*calibration, kMost)});
}

}  // namespace ringside
