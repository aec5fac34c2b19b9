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
    const auto inactive = facts.number(gpu + ".nvlinks_inactive");
    if (!inactive) continue;
    ++known;
    if (*inactive == 0 || facts.number(gpu + ".nvlinks").value_or(0) == 0) continue;
    outcomes.push_back(
        check_hint(fmt::format("{} of its NVLinks are not active, {} are", *inactive,
                               facts.number(gpu + ".nvlinks").value_or(0)),
                   "nvidia-smi nvlink -s -i " + gpu.substr(4) +
                       "; some boards have fewer links than the GPU, then all GPUs show the same",
                   {}, "GPU " + gpu.substr(4)));
  }
  if (known == 0) return {check_unknown(facts.why("gpu.0.nvlinks"))};
  if (outcomes.empty()) outcomes.push_back(check_ok("no GPU has NVLinks that are down beside active ones"));
  return outcomes;
}

const RegisterCheck registered{{.name = "nvlinks",
                                .title = "are all NVLinks active",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "gpud#1227",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
