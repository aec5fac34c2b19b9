#include "gate_options.hpp"

#include "base/input_file.hpp"

namespace ringside {

void GateOptions::declare(OptionTable& options) {
  options.value("--calibration", "FILE",
                "Thresholds that `probe-comm --calibrate` stored [those of this machine]",
                [this](const std::string& text) { calibration = text; });
  options.flag("--no-confirm",
               "Don't measure what looks slower again: only what is beyond twice its threshold counts then.",
               no_confirm);
  options.value(
      "--fail-on", "WHAT",
      "What ends with a status other than 0: none, regress (6) or ambiguous (7, beside 6) [regress]",
      [this](const std::string& text) { fail_on = parse_fail_on(text); });
  options.choices({"none", "regress", "ambiguous"});
}

std::optional<Calibration> GateOptions::find(const Fingerprint& machine) const {
  if (!calibration) return find_calibration(machine);
  constexpr std::size_t kMost = 64u << 20;
  return read_calibration({*calibration, *calibration, read_input(*calibration, kMost)});
}

}  // namespace ringside
