#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  for (const std::string& gpu : gpu_names(facts)) {
    if (facts.flag(gpu + ".persistence") != false) continue;
    outcomes.push_back(check_hint("persistence mode is off: the first start is slow, and clocks are reset",
                                  "sudo nvidia-smi -pm 1 (not from a container)", {},
                                  "GPU " + gpu.substr(4)));
  }
  if (!facts.flag("gpu.0.persistence")) return {check_unknown(facts.why("gpu.0.persistence"))};
  if (outcomes.empty()) outcomes.push_back(check_ok("persistence mode is on"));
  return outcomes;
}

const RegisterCheck registered{{.name = "persistence",
                                .title = "does the driver stay loaded",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "gpud",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
