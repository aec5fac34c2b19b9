#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  std::vector<std::string> off;
  std::vector<std::string> slow;
  int pairs = 0;
  const int gpus = facts.count("gpus.count");
  for (int from = 0; from < gpus; ++from) {
    for (int to = 0; to < gpus; ++to) {
      const auto access = facts.flag(fmt::format("pair.{}.{}.access", from, to));
      if (from == to || !access) continue;
      ++pairs;
      if (!*access) off.push_back(fmt::format("{} -> {}", from, to));
      const auto atomics = facts.flag(fmt::format("pair.{}.{}.atomics", from, to));
      if (*access && atomics && !*atomics) slow.push_back(fmt::format("{} -> {}", from, to));
    }
  }
  if (pairs == 0) return {check_unknown("no pair was asked for peer access")};
  CheckOutcomes outcomes;
  if (off.empty()) {
    CheckOutcome outcome =
        check_ok(fmt::format("the driver claims peer access for all {} ordered pairs; whether data "
                             "arrive was not tried",
                             pairs),
                 "peer access");
    outcome.rung = Rung::claimed;
    outcomes.push_back(outcome);
  } else {
    CheckOutcome outcome = check_hint(
        fmt::format(
            "{} of {} ordered pairs of GPUs have no peer access: custom allreduces of servers are off, and "
            "NCCL goes through the host's memory",
            off.size(), pairs),
        "nothing to set where the chipset has none; see checks iommu, bar1 and device-list for what hides it",
        {"no access: " + join(off, ", ")}, "peer access");
    outcome.rung = Rung::claimed;
    outcomes.push_back(outcome);
  }
  if (!slow.empty()) {
    outcomes.push_back(check_hint(
        fmt::format(
            "{} ordered pairs have peer access without native atomics: kernels that signal by remote atomics "
            "can't work there",
            slow.size()),
        "SGLang: no custom allreduce v2 by pull; PyTorch: no symmetric memory on these pairs",
        {"no atomics: " + join(slow, ", ")}, "remote atomics"));
  }
  return outcomes;
}

const RegisterCheck registered{{.name = "peer-access",
                                .title = "can each GPU reach the others' memory",
                                .need = "two GPUs",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 2,
                                .source = "vllm#33041, vllm#51513, nccl#2079",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
