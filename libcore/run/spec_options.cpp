#include "run/spec_options.hpp"

#include "base/errors.hpp"
#include "run/option_inputs.hpp"

namespace ringside {

void SpecOptions::check() const {
  if (skew_us && !compute_us)
    throw UsageError("--skew needs --compute: a rank comes late because it computes longer");
}

std::vector<std::string> SpecOptions::inputs() const {
  std::vector<std::string> files = logs;
  add_scenario(scenario, files);
  add_file(config, files);
  add_scenario(flags.machine, files);
  add_file(flags.nccl_library, files);
  return files;
}

}  // namespace ringside
