#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  constexpr const char* kActions[] = {"none", "reset of the GPU", "reboot", "drain of peer traffic",
                                      "drain and reset"};
  CheckOutcomes outcomes;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const std::string subject = "GPU " + gpu.substr(4);
    const auto action = facts.number(gpu + ".recovery_action");
    const auto pending = facts.flag(gpu + ".remap_pending");
    const auto failed = facts.flag(gpu + ".remap_failed");
    const auto ecc = facts.number(gpu + ".ecc_uncorrected");
    known += action || pending || ecc;
    if (action && *action > 0) {
      const auto number = static_cast<std::size_t>(*action);
      outcomes.push_back(check_error(
          fmt::format("the driver asks for a recovery action: {}", kActions[number < 5 ? number : 2]),
          "end what uses the GPU, then nvidia-smi --gpu-reset -i " + gpu.substr(4) + ", or reboot", {},
          subject));
    }
    if (pending == true || failed == true) {
      outcomes.push_back(
          check_error(failed == true ? "a remap of a memory row failed: the GPU's memory is not to be trusted"
                                     : "a remap of a memory row is pending",
                      failed == true ? "have the GPU replaced" : "nvidia-smi --gpu-reset -i " + gpu.substr(4),
                      {}, subject));
    }
    if (ecc && *ecc > 0) {
      outcomes.push_back(check_hint(
          fmt::format("{} uncorrected memory errors since boot", *ecc),
          "nvidia-smi --gpu-reset -i " + gpu.substr(4) + "; replace it where they come back", {}, subject));
    }
  }
  if (outcomes.empty() && known == 0) return {check_unknown(facts.why("gpu.0.ecc_uncorrected"))};
  if (outcomes.empty())
    outcomes.push_back(
        check_ok("no GPU has uncorrected errors, pending remaps or a recovery action, as far as each "
                 "driver says"));
  return outcomes;
}

const RegisterCheck registered{{.name = "gpu-errors",
                                .title = "have GPUs memory errors, or does the driver ask for a reset",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::error,
                                .gpus = 1,
                                .source = "NVML",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
