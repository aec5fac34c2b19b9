#include "gate_options.hpp"

namespace ringside {

void declare_gate_options(GateOptions& gate, OptionTable& options) {
  options.value("--calibration", "FILE",
                "Thresholds that `probe-comm --calibrate` stored [those of this machine]",
                [&gate](const std::string& text) { gate.calibration = text; });
  options.value(
      "--fail-on", "WHAT",
      "What ends with a status other than 0: none, regress (6, or 7 where cases of the base have no new "
      "time) or ambiguous (7 for these too) [regress]",
      [&gate](const std::string& text) { gate.fail_on = parse_fail_on(text); });
  options.choices({"none", "regress", "ambiguous"});
}

}  // namespace ringside
