#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// DeepEP's low-latency kernels post to the network card from the GPU (IBGDA).
CheckOutcomes judge(const BoxFacts& facts) {
  const auto devices = facts.text("rdma.devices");
  if (!devices) return {check_unknown(facts.why("rdma.devices"))};
  if (devices->empty()) return {check_ok("there is no RDMA device here, so no GPU posts to one")};
  const auto streams = facts.text("driver.params.EnableStreamMemOPs");
  const auto registry = facts.text("driver.params.RegistryDwords");
  if (!streams || !registry) return {check_unknown("/proc/driver/nvidia/params is not there, or hidden")};
  if (*streams == "1" && registry->find("PeerMappingOverride=1") != std::string::npos)
    return {check_ok("the driver allows GPUs to post to network cards")};
  return {check_hint(
      "the driver does not allow GPUs to post to network cards (IBGDA): DeepEP's low-latency mode between "
      "hosts can't",
      "options nvidia NVreg_EnableStreamMemOPs=1 NVreg_RegistryDwords=\"PeerMappingOverride=1;\" in "
      "/etc/modprobe.d, then reboot; or gdrcopy",
      {"EnableStreamMemOPs " + *streams, "RegistryDwords " + *registry})};
}

const RegisterCheck registered{{.name = "ibgda",
                                .title = "may GPUs post to network cards",
                                .need = "a GPU and an RDMA device",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "DeepEP#55, DeepEP#128, sglang#6017",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
