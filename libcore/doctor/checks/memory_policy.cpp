#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// The question is asked by setting a policy: reading one is allowed where setting is not.
CheckOutcomes judge(const BoxFacts& facts) {
  const auto probe = facts.text("probe.bind_memory");
  if (!probe) return {check_unknown(facts.why("probe.bind_memory"))};
  if (*probe == "ok") return {check_ok("a process may bind its memory to NUMA nodes (set_mempolicy)")};
  if (facts.number("numa.nodes").value_or(0) <= 1)
    return {check_ok(fmt::format("set_mempolicy gives '{}', and there is one NUMA node only", *probe))};
  return {check_error(
      fmt::format("a process may not bind its memory to NUMA nodes: set_mempolicy gives '{}'", *probe),
      "docker run --cap-add=SYS_NICE, or no NUMA binding in the server (SGLang: unset "
      "SGLANG_NUMA_BIND_V2)")};
}

const RegisterCheck registered{{.name = "memory-policy",
                                .title = "may processes bind their memory to NUMA nodes",
                                .need = "",
                                .cost = "a child process",
                                .severity = Severity::error,
                                .source = "sglang#27368, vllm#45438",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
