#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// The driver's own list says no where CUDA says yes: then NCCL does not start between GPUs with NVLink.
CheckOutcomes judge(const BoxFacts& facts) {
  constexpr const char* kReasons[] = {"ok",
                                      "the chipset does not support it",
                                      "the GPU does not support it",
                                      "the topology does not allow it",
                                      "the registry switches it off",
                                      "not supported",
                                      "not known"};
  const int gpus = facts.count("gpus.count");
  std::vector<std::string> off;
  int known = 0;
  for (int from = 0; from < gpus; ++from) {
    for (int to = 0; to < gpus; ++to) {
      for (const char* way : {"read", "write"}) {
        const auto status = facts.number(fmt::format("pair.{}.{}.nvml_{}", from, to, way));
        if (!status) continue;
        ++known;
        const auto number = static_cast<std::size_t>(*status);
        if (number != 0)
          off.push_back(fmt::format("{} -> {} {}: {}", from, to, way, kReasons[number < 7 ? number : 6]));
      }
    }
  }
  if (known == 0) return {check_unknown("the driver's management library was not asked")};
  if (off.empty())
    return {check_ok("the driver's management library allows peer reads and writes of all pairs")};
  const bool nvlink = facts.number("gpu.0.nvlinks").value_or(0) > 0;
  if (!nvlink)
    return {check_hint("the driver does not allow peer access between some GPUs", "see its reasons", off)};
  return {
      check_error("the driver does not allow peer access between GPUs that NVLink joins: NCCL does not start",
                  "NCCL_IGNORE_DISABLED_P2P=1 to start without it; then look for what disabled it", off)};
}

const RegisterCheck registered{{.name = "peer-permission",
                                .title = "does the driver allow peer reads and writes",
                                .need = "two GPUs",
                                .cost = "none",
                                .severity = Severity::error,
                                .gpus = 2,
                                .source = "NCCL 2.30 src/graph/paths.cc",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
