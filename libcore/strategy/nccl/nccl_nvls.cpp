// nccl-nvls: NCCL held to NVLS, where the NVLink switch itself adds (multicast). Only where multicast may be
// used: a variable that switches it off for NCCL, PyTorch or NVSHMEM is taken as the word of whoever runs the
// box, and nothing here ever switches it on.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr NcclSpec kNvls = {.name = "nccl-nvls",
                            .family = "nccl-nvls",
                            .summary = "NCCL's NVLS: the NVLink switch adds (multicast)",
                            .algorithm = "nvls",
                            .protocol = "",
                            .asks = "NVLS",
                            .first_version = 21700};

struct Veto {
  const char* variable;
  bool by_zero;  // a 0 forbids; else anything but 0 does
};
constexpr std::array<Veto, 3> kVetoes = {Veto{"NCCL_NVLS_ENABLE", true},
                                         Veto{"TORCH_SYMM_MEM_DISABLE_MULTICAST", false},
                                         Veto{"NVSHMEM_DISABLE_NVLS", false}};

// The setting that forbids multicast here, or nothing.
std::optional<std::string> multicast_veto() {
  for (const Veto& veto : kVetoes) {
    const char* value = std::getenv(veto.variable);
    if (value == nullptr || *value == '\0') continue;
    const bool zero = std::string_view(value) == "0";
    if (zero == veto.by_zero) return fmt::format("{}={}", veto.variable, value);
  }
  return std::nullopt;
}

class NcclNvls final : public NcclStrategy {
 public:
  NcclNvls() : NcclStrategy(kNvls) {}

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = NcclStrategy::admit(params, context)) return refused;
    if (const auto veto = multicast_veto()) {
      return not_admitted(params, fmt::format("NVLink multicast is switched off here ({})", *veto));
    }
    for (const GpuFacts& gpu : context.gpus->gpus) {
      if (!gpu.multicast) return not_admitted(params, fmt::format("{} has no NVLink multicast", gpu.name));
    }
    return std::nullopt;
  }
};

const RegisterStrategy<NcclNvls> registered;

}  // namespace
}  // namespace ringside
