#include "run/probe_options.hpp"

#include "base/errors.hpp"
#include "run/option_inputs.hpp"

namespace ringside {

void ProbeOptions::check() const {
  if (calibrate && against) throw UsageError("--calibrate measures this build alone; leave out --against");
  if (calibrate && !slowdowns.empty())
    throw UsageError("--calibrate is about unchanged code; leave out --inject-slowdown");
  if (tune && against) throw UsageError("--tune measures this build alone; leave out --against");
  if (gate.calibration && !against)
    throw UsageError("--calibration FILE would not be used: only --against compares anything");
  if (profile && (calibrate || against || tune || flags.skew || !slowdowns.empty())) {
    throw UsageError(
        "--profile measures nothing: leave out --calibrate, --against, --tune, --skew and --inject-slowdown");
  }
  if (profile && (flags.launches || flags.max_rounds || flags.min_rounds))
    throw UsageError("--profile runs each case once: leave out --launches, --rounds and --min-rounds");
  if ((calibrate || against) && flags.device == "model")
    throw UsageError("the model device has no launches to compare");
}

std::vector<std::string> ProbeOptions::inputs() const {
  std::vector<std::string> files;
  add_scenario(scenario, files);
  add_scenario(flags.machine, files);
  add_file(flags.nccl_library, files);
  add_file(against, files);
  add_file(gate.calibration, files);
  return files;
}

}  // namespace ringside
