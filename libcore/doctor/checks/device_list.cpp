#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

bool only_numbers(const std::string& list) {
  return list.find_first_not_of("0123456789, -") == std::string::npos;
}

CheckOutcomes judge(const BoxFacts& facts) {
  if (!facts.flag("environment.read"))
    return {check_unknown("the environment: " + facts.why("environment.read"))};
  CheckOutcomes outcomes;
  const auto visible = facts.text("env.CUDA_VISIBLE_DEVICES");
  if (visible && !only_numbers(*visible)) {
    outcomes.push_back(check_error(
        fmt::format(
            "CUDA_VISIBLE_DEVICES={} holds names: SGLang, and vLLM before 2026-06-20, read numbers only",
            *visible),
        "export CUDA_DEVICE_ORDER=PCI_BUS_ID and CUDA_VISIBLE_DEVICES with numbers", {},
        "CUDA_VISIBLE_DEVICES"));
  }
  int mig = 0;
  for (const std::string& gpu : gpu_names(facts)) mig += facts.flag(gpu + ".mig").value_or(false);
  if (mig > 0) {
    outcomes.push_back(
        check_error(fmt::format("{} GPUs are in MIG mode: NCCL can't join slices of one GPU", mig),
                    "sudo nvidia-smi -mig 0, or one rank only", {}, "MIG"));
  }
  if (outcomes.empty()) {
    outcomes.push_back(check_ok(visible ? fmt::format("CUDA_VISIBLE_DEVICES={} holds numbers", *visible)
                                        : "CUDA_VISIBLE_DEVICES is not set"));
  }
  return outcomes;
}

const RegisterCheck registered{{.name = "device-list",
                                .title = "can servers read the list of GPUs",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "vllm#41848, vllm#45026",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
