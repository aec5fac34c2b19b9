// nccl-symmetric: NCCL's kernels for symmetric memory. Input and output lie in a window that all ranks have
// registered, so a kernel reads and writes the peers' buffers directly. NCCL falls back to its classic
// kernels without a word where it can't (no direct NVLink between all pairs, an unsuitable type); the
// read-back of what ran shows it. `:nomix` is the same for one graph at a time.
#include "strategy/nccl/nccl_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr NcclSpec kSymmetric = {.name = "nccl-symmetric",
                                 .family = "nccl-symmetric",
                                 .summary = "NCCL's kernels on symmetric memory (registered windows)",
                                 .algorithm = "",
                                 .protocol = "",
                                 .windows = true,
                                 .asks = "SYMMETRIC",
                                 .first_version = 22700};

constexpr NcclSpec kNoMix = for_one_graph(kSymmetric, "nccl-symmetric:nomix",
                                          "NCCL's kernels on symmetric memory, for one graph at a time");

template <const NcclSpec& Spec>
class NcclSymmetric final : public NcclStrategy {
 public:
  NcclSymmetric() : NcclStrategy(Spec) {}

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = NcclStrategy::admit(params, context)) return refused;
    if (!all_pairs_reach(*context.gpus)) {
      return not_admitted(params, "not every GPU can reach every other one's memory",
                          "see `nvidia-smi topo -p2p r` for the pairs");
    }
    return std::nullopt;
  }
};

const RegisterStrategy<NcclSymmetric<kSymmetric>> registered;
const RegisterStrategy<NcclSymmetric<kNoMix>> no_mix;

}  // namespace
}  // namespace ringside
