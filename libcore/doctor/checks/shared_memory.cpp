#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

constexpr double kDockerDefault = 64 << 20;
constexpr double kEnough = 1ull << 30;

// NCCL needs it where it does not allocate host memory by itself, vLLM for the queues between its processes.
CheckOutcomes judge(const BoxFacts& facts) {
  const auto free = facts.number("shm.free_bytes");
  if (!free) return {check_unknown(facts.why("shm.free_bytes"))};
  const std::string text = format_bytes(Bytes{static_cast<std::uint64_t>(*free)});
  if (*free >= kEnough) return {check_ok(fmt::format("/dev/shm has {} free", text))};
  const bool needed =
      facts.text("env.NCCL_CUMEM_HOST_ENABLE") == "0" || facts.text("env.NCCL_CUMEM_ENABLE") == "0";
  const std::string remedy =
      "docker run --shm-size=16g (or --ipc=host); in Kubernetes an emptyDir with medium Memory at /dev/shm";
  const std::vector<std::string> evidence = {fmt::format(
      "size {}",
      format_bytes(Bytes{static_cast<std::uint64_t>(facts.number("shm.size_bytes").value_or(0))}))};
  if (needed && *free <= kDockerDefault) {
    return {
        check_error(fmt::format("/dev/shm has {} free, and NCCL is told to use it (NCCL_CUMEM_HOST_ENABLE or "
                                "NCCL_CUMEM_ENABLE is 0)",
                                text),
                    remedy, evidence)};
  }
  return {check_hint(
      fmt::format("/dev/shm has {} free: NCCL's fallback and the queues of servers may not fit", text),
      remedy, evidence)};
}

const RegisterCheck registered{{.name = "shared-memory",
                                .title = "is /dev/shm large enough",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::error,
                                .source = "nccl#290, nccl#342, vllm#1710",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
