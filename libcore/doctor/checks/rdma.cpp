#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  const auto devices = facts.text("rdma.devices");
  if (!devices) return {check_unknown(facts.why("rdma.devices"))};
  if (devices->empty())
    return {check_ok("there is no RDMA device, or it is hidden in this container; one host needs none")};
  CheckOutcomes outcomes;
  if (facts.flag("rdma.verbs_files") == false) {
    outcomes.push_back(
        check_hint("RDMA devices are there, and /dev/infiniband is not: NCCL will use TCP between hosts",
                   "docker run --device=/dev/infiniband", {*devices}));
  }
  for (const std::string& device : split(*devices, ',')) {
    const auto state = facts.text("rdma." + device + ".state");
    if (!state) {
      outcomes.push_back(check_unknown(facts.why("rdma." + device + ".state"), device));
    } else if (state->find("ACTIVE") == std::string::npos) {
      outcomes.push_back(
          check_hint(fmt::format("its first port is '{}'", *state),
                     "look at cable and switch where it is meant to be used; unused ports are down "
                     "everywhere",
                     {}, device));
    }
  }
  if (outcomes.empty())
    outcomes.push_back(check_ok("the first ports of all RDMA devices are active: " + *devices));
  return outcomes;
}

const RegisterCheck registered{{.name = "rdma",
                                .title = "are RDMA devices there and active",
                                .need = "",
                                .cost = "none",
                                .severity = Severity::warning,
                                .source = "lmdeploy#3286, DeepEP#289",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
