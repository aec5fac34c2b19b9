#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "doctor/check.hpp"

namespace ringside {
namespace {

CheckOutcomes judge(const BoxFacts& facts) {
  CheckOutcomes outcomes;
  std::vector<std::string> translated;
  std::vector<std::string> evidence;
  int known = 0;
  for (const std::string& gpu : gpu_names(facts)) {
    const auto type = facts.text(gpu + ".iommu_type");
    if (!type) continue;
    ++known;
    evidence.push_back(fmt::format("GPU {}: {}", gpu.substr(4), *type));
    if (type->starts_with("DMA")) translated.push_back(gpu.substr(4));
  }
  if (const auto words = facts.text("host.iommu_words"); words && !words->empty())
    evidence.push_back("kernel command line: " + *words);
  if (known == 0) {
    if (facts.number("host.iommu_groups") == 0)
      return {check_ok("there are no IOMMU groups: no IOMMU is on, or it is hidden in this container")};
    return {check_unknown(facts.why("gpu.0.iommu_type"))};
  }
  if (translated.empty()) return {check_ok("the IOMMU lets DMA of the GPUs through")};
  return {check_hint(
      fmt::format("the IOMMU translates DMA of GPU {}: many boxes work so, on others peer writes are "
                  "lost",
                  join(translated, ", ")),
      "where peer copies fail or hang: iommu=pt on the kernel's command line (Intel: intel_iommu=on "
      "iommu=pt), or NCCL_P2P_DISABLE=1 and --disable-custom-all-reduce",
      evidence)};
}

const RegisterCheck registered{{.name = "iommu",
                                .title = "does the IOMMU translate what GPUs write",
                                .need = "a GPU",
                                .cost = "none",
                                .severity = Severity::warning,
                                .gpus = 1,
                                .source = "vllm#51513, nccl#257, nccl#606",
                                .judge = judge}};

}  // namespace
}  // namespace ringside
