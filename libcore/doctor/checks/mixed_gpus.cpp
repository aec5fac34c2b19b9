#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const std::vector<std::string> gpus = gpu_names(facts);
  std::vector<std::string> evidence;
  bool mixed = false;
  for (const std::string& gpu : gpus) {
    evidence.push_back(fmt::format("GPU {}: {}", gpu.substr(4), facts.text_or(gpu + ".name", "not known")));
    for (const char* what : {".name", ".compute_capability", ".memory_bytes"})
      mixed = mixed || facts.text(gpu + what) != facts.text("gpu.0" + std::string(what));
  }
  if (!mixed)
    return {check_ok(fmt::format("{} x {}", gpus.size(), facts.text_or("gpu.0.name", "not known")))};
  return {check_hint(
      "the GPUs are not alike: tensor parallelism goes at the pace of the slowest, and symmetric memory "
      "needs equal ones",
      "export CUDA_DEVICE_ORDER=PCI_BUS_ID, and choose equal ones with CUDA_VISIBLE_DEVICES", evidence)};
}

const RegisterCheck registered{{.name = "mixed-gpus",
                                .title = "are all GPUs alike",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "vllm#30617",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
