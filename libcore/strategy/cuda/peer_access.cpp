#include "strategy/cuda/peer_access.hpp"

#include <fmt/format.h>

namespace ringside {

std::optional<Finding> refuse_peer_kernel(const Case& params, const AdmissionContext& context,
                                          int max_ranks) {
  if (context.gpus == nullptr) return not_admitted(params, "no GPUs have been looked at");
  if (params.ranks > max_ranks) {
    return not_admitted(params, fmt::format("the kernel takes at most {} ranks", max_ranks));
  }
  if (!all_pairs_reach(*context.gpus)) {
    return not_admitted(params, "not every GPU can reach every other one's memory",
                        "see `nvidia-smi topo -p2p r` for the pairs");
  }
  return std::nullopt;
}

std::optional<Finding> refuse_dependent_launch(const Case& params, const AdmissionContext& context) {
  constexpr int kFirstCapability = 90;
  for (const GpuFacts& gpu : context.gpus->gpus) {
    if (gpu.compute_capability >= kFirstCapability) continue;
    return not_admitted(
        params, fmt::format("programmatic dependent launch needs compute capability 9.0; {} has {}.{}",
                            gpu.name, gpu.compute_capability / 10, gpu.compute_capability % 10));
  }
  return std::nullopt;
}

}  // namespace ringside
