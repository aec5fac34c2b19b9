#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const auto limit = facts.number(gpu + ".power_limit_w");
    const auto standard = facts.number(gpu + ".power_default_w");
    if (!limit || !standard) continue;
    ++known;
    if (*limit >= 0.97 * *standard) continue;
    outcomes.push_back(
        check_hint(fmt::format("power is limited to {:.0f} W of {:.0f} W: collectives wait for the "
                               "slowest GPU",
                               *limit, *standard),
                   fmt::format("sudo nvidia-smi -i {} -pl {:.0f}", gpu.substr(4), *standard), {},
                   "GPU " + gpu.substr(4)));
  }
  if (known == 0) return {check_unknown(facts.why("gpu.0.power_limit_w"))};
  if (outcomes.empty())
    outcomes.push_back(
        check_ok("no GPU has a power limit below its default; clocks under load were not looked at"));
  return outcomes;
}

const RegisterCheck registered{{.name = "power",
                                .title = "is a GPU's power limited below its default",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "nvbench#231",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
