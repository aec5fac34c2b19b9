#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto probe = facts.text("probe.take_descriptor");
  if (!probe) return {check_unknown(facts.why("probe.take_descriptor"))};
  if (*probe == "ok") return {check_ok("a process may take a file descriptor of another one (pidfd_getfd)")};
  return {check_error(
      fmt::format("a process may not take a file descriptor of another one: pidfd_getfd gives '{}'", *probe),
      "docker run --cap-add=SYS_PTRACE (FlashInfer's and TensorRT-LLM's all-to-all memory is shared so)",
      {"kernel.yama.ptrace_scope " + facts.text_or("host.ptrace_scope", "not known")})};
}

const RegisterCheck registered{{.name = "descriptor-sharing",
                                .title = "may processes take file descriptors of each other",
                                .need = "",
                                .cost = "a child process",
                                .severity = Severity::error,
                                .source = "flashinfer#2394",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
