#include "device/make_device.hpp"

#include "base/errors.hpp"
#include "device/host/host_device.hpp"
#include "device/host/link_limits.hpp"
#if RINGSIDE_HAS_CUDA
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/transfer_probe.hpp"
#endif

namespace ringside {

std::unique_ptr<RankDevice> make_device(const DeviceSettings& settings, Bootstrap& bootstrap) {
  if (settings.kind == DeviceKind::host) {
    const auto rank = static_cast<std::size_t>(bootstrap.rank());
    const std::vector<int>& cores = settings.cores;
    return make_host_device(bootstrap, settings.arena,
                            rank < cores.size() ? std::optional(cores[rank]) : std::nullopt);
  }
#if RINGSIDE_HAS_CUDA
  if (settings.kind == DeviceKind::cuda) {
    return std::make_unique<CudaDevice>(
        bootstrap, CudaSettings{settings.gpus, settings.arena, settings.nccl_library, settings.report});
  }
#endif
  throw EnvironmentError("this build has no device " + std::string(to_string(settings.kind)) +
                         ": build it with a CUDA toolkit (scripts/setup), or use --device host");
}

Bytes device_memory(const DeviceNeed& need) {
#if RINGSIDE_HAS_CUDA
  if (need.kind == DeviceKind::cuda) {
    return {CudaDevice::memory_needed(need.arena).count +
            CudaDevice::eviction_needed(need.evicted_cache).count};
  }
#endif
  return HostDevice::memory_needed(need.ranks, need.arena);
}

void count_limits(DeviceKind kind, Arena& counting, Bytes message) {
  const Bytes before = counting.used();
  if (kind == DeviceKind::host) allocate_sum_block(counting, message);
#if RINGSIDE_HAS_CUDA
  if (kind == DeviceKind::cuda) allocate_probe_block(counting, message);
#endif
  counting.rewind(before);
}

}  // namespace ringside
