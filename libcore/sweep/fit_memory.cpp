#include "sweep/fit_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "device/make_device.hpp"

namespace ringside {
namespace {

constexpr Bytes kContext = 1024_MiB;  // an allowance, with the kernels that are loaded

// Each strategy that asks NCCL has at most one communicator.
Bytes communicators(const Plan& plan) {
  std::set<const Strategy*> asking;
  for (const PlannedCase& planned : plan.cases) {
    if (!planned.skipped && planned.strategy->asks()) asking.insert(planned.strategy);
  }
  return {asking.size() * kNcclCommunicatorMemory.count};
}

}  // namespace

void fit_host_memory(Plan& plan, Bytes available) {
  if (host_memory_need(plan) > available && plan.rank_groups.size() > 1) set_apart(plan);
  const Bytes need = host_memory_need(plan);
  if (need <= available) return;
  throw EnvironmentError(
      fmt::format("not enough memory: the buffers of {} ranks take {}, and {} are available; use smaller "
                  "messages or fewer --ranks",
                  plan.request.ranks, format_bytes(need), format_bytes(available)));
}

void fit_gpu_memory(Plan& plan, Bytes free) {
  if (plan.rank_groups.size() < 2) return;
  const std::uint64_t need =
      device_memory_need(plan).count + communicators(plan).count + plan.rank_groups.size() * kContext.count;
  if (need > free.count) set_apart(plan);
}

}  // namespace ringside
