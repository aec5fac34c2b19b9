#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const std::string problem = facts.number("gpus.count") ? "" : facts.why("gpus.count");
  if (problem.find("802") != std::string::npos ||
      problem.find("system not yet initialized") != std::string::npos) {
    return {check_error(
        "CUDA says that the system is not yet initialised (802): the NVSwitch fabric is not ready",
        "on the host: systemctl status nvidia-fabricmanager; its version must be the driver's to the "
        "last digit. In a container nothing can mend it",
        {problem})};
  }
  CheckOutcomes outcomes;
  std::vector<std::string> ready;
  for (const std::string& gpu : gpu_names(facts)) {
    const std::string subject = "GPU " + gpu.substr(4);
    const auto state = facts.text(gpu + ".fabric");
    if (!state) {
      outcomes.push_back(check_unknown(facts.why(gpu + ".fabric"), subject));
    } else if (*state == "completed" || *state == "not supported") {
      ready.push_back(subject);
    } else {
      outcomes.push_back(
          check_error(fmt::format("the state of the NVSwitch fabric is '{}'", *state),
                      "on the host: systemctl status nvidia-fabricmanager; its version must be the "
                      "driver's to the last digit. In a container nothing can mend it",
                      {}, subject));
    }
  }
  if (gpu_names(facts).empty()) return {check_unknown("no GPU was seen: " + problem)};
  if (outcomes.empty()) outcomes.push_back(check_ok("the fabric of NVSwitches is ready, or there is none"));
  return outcomes;
}

const RegisterCheck registered{{.name = "fabric",
                                .title = "is the NVSwitch fabric ready",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "huggingface_hub#4128, gpu-operator#610",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
