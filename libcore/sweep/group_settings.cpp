#include "sweep/group_settings.hpp"

#include "machine/resources.hpp"

namespace ringside {
namespace {

std::vector<int> choose_cores(const SweepRequest& request) {
  std::vector<int> cores = request.device == DeviceKind::host ? usable_core_list() : std::vector<int>{};
  if (static_cast<int>(cores.size()) < request.ranks) return {};
  cores.resize(static_cast<std::size_t>(request.ranks));
  return cores;
}

}  // namespace

GroupSettings group_settings(const SweepRequest& request, const PlannedRanks& ranks) {
  GroupSettings settings;
  settings.ranks = request.ranks;
  settings.device = {.kind = request.device,
                     .arena = ranks.arena_bytes,
                     .cores = choose_cores(request),
                     .gpus = request.gpus,
                     .nccl_library = request.nccl_library};
  settings.environment = ranks.environment;
  return settings;
}

}  // namespace ringside
