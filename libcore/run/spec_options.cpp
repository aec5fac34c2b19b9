#include "run/spec_options.hpp"

#include "base/errors.hpp"
#include "run/option_inputs.hpp"

namespace ringside {

void SpecOptions::check() const {
  if (skew_us && !compute_us)
    throw UsageError("--skew needs --compute: a rank comes late because it computes longer");
  if (alltoall && !ep)
    throw UsageError("--alltoall needs --ep: it sends tokens to the ranks of their experts");
}

std::vector<std::string> SpecOptions::inputs() const {
  std::vector<std::string> files = logs;
  files.insert(files.end(), benches.begin(), benches.end());
  for (const auto& [before, after] : metrics) files.insert(files.end(), {before, after});
  add_scenario(scenario, files);
  add_file(config, files);
  add_file(draft_config, files);
  add_file(allreduce, files);
  add_scenario(flags.machine, files);
  add_file(flags.nccl_library, files);
  return files;
}

}  // namespace ringside
