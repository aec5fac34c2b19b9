#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  bool claimed = false;
  for (const std::string& gpu : gpu_names(facts))
    claimed = claimed || facts.flag(gpu + ".multicast").value_or(false);
  if (!claimed) return {check_ok("no GPU claims NVLink multicast, so nothing can fail to bind")};
  if (facts.text("env.NCCL_NVLS_ENABLE") == "0")
    return {
        check_ok("NVLink multicast is claimed and switched off (NCCL_NVLS_ENABLE=0); binding was not tried")};
  CheckOutcome outcome = check_unknown(
      "NVLink multicast is claimed; whether memory can be bound to it was not tried (a failed bind, error "
      "401, ends "
      "NCCL's start: NCCL_NVLS_ENABLE=0 avoids it)");
  outcome.rung = Rung::claimed;
  return {outcome};
}

const RegisterCheck registered{{.name = "multicast",
                                .title = "can memory be bound to an NVLink multicast object",
                                .need = "GPUs with NVSwitches",
                                .cost = "not tried",
                                .severity = Severity::error,
                                .gpus = 1,
                                .source = "pytorch#177472, nccl#1788",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
