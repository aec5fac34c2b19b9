#include "machine/described_gpus.hpp"

#include <fmt/format.h>

namespace ringside {

GpuSurvey described_gpus(const MachineProfile& machine, int ranks) {
  constexpr int kNccl = 22809;
  constexpr double kGib = 1073741824.0;
  constexpr int kFirstMulticast = 90;
  GpuSurvey survey;
  const auto count = static_cast<std::size_t>(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    GpuFacts gpu;
    gpu.uuid = fmt::format("described-{}", rank);
    gpu.name = machine.title;
    gpu.compute_capability = machine.compute_capability;
    gpu.memory = {static_cast<std::uint64_t>(machine.memory_gib * kGib)};
    gpu.multicast = machine.peer_access.value_or(PeerAccess::nvlink) == PeerAccess::nvlink &&
                    machine.compute_capability >= kFirstMulticast;
    survey.gpus.push_back(std::move(gpu));
  }
  survey.pairs.resize(count * count);
  for (GpuPair& pair : survey.pairs) pair.access = machine.peer_access != PeerAccess::staged;
  survey.nccl.version = kNccl;
  return survey;
}

}  // namespace ringside
