#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

// Reading ACS itself takes root. GPUs below one switch in groups of their own are a sign of it.
CheckOutcomes judge(const BoxFacts&) {
  return {check_unknown("needs root: sudo lspci -vvv | grep -i acsctl, for the bridges above the GPUs")};
}

const RegisterCheck registered{{.name = "acs",
                                .title = "do PCIe bridges redirect what GPUs send each other",
                                .need = "root",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 2,
                                .source = "vllm#5458, nccl#2079",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
