#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  for (const std::string& gpu : gpu_names(facts)) {
    const std::string subject = "GPU " + gpu.substr(4);
    const auto bar1 = facts.number(gpu + ".bar1_bytes");
    const auto memory = facts.number(gpu + ".memory_bytes");
    if (!bar1 || !memory) {
      outcomes.push_back(check_unknown(facts.why(gpu + (bar1 ? ".memory_bytes" : ".bar1_bytes")), subject));
      continue;
    }
    if (*bar1 >= 0.9 * *memory || facts.number(gpu + ".nvlinks").value_or(0) > 0) continue;
    outcomes.push_back(check_hint(fmt::format("BAR1 is {} for {} of memory: peer mappings over PCIe may fail",
                                              format_bytes(Bytes{static_cast<std::uint64_t>(*bar1)}),
                                              format_bytes(Bytes{static_cast<std::uint64_t>(*memory)})),
                                  "switch on Resizable BAR and Above 4G Decoding in the BIOS", {}, subject));
  }
  if (outcomes.empty())
    outcomes.push_back(check_ok("BAR1 covers the memory of each GPU, or NVLink joins them"));
  return outcomes;
}

const RegisterCheck registered{{.name = "bar1",
                                .title = "can all memory of a GPU be mapped over PCIe",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "tinygrad/open-gpu-kernel-modules#13, #16, #36",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
