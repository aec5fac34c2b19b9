#include "device/cuda/survey.hpp"

#include <fmt/format.h>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/driver_api.hpp"
#include "device/cuda/gpu_names.hpp"
#include "device/cuda/mapped_memory.hpp"

#if RINGSIDE_HAS_NCCL
#include "device/cuda/nccl/nccl_survey.hpp"
#endif

namespace ringside {
namespace {

GpuFacts look_at(int ordinal) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, ordinal),
             fmt::format("cudaGetDeviceProperties({})", ordinal));
  GpuFacts gpu;
  gpu.uuid = gpu_uuid(ordinal);
  gpu.pci_address = gpu_pci_address(ordinal);
  gpu.name = properties.name;
  gpu.compute_capability = properties.major * 10 + properties.minor;
  gpu.multiprocessors = properties.multiProcessorCount;
  gpu.memory = {properties.totalGlobalMem};
  gpu.l2_cache = {static_cast<std::uint64_t>(properties.l2CacheSize)};
  gpu.multicast = driver_attribute(ordinal, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) != 0;
  gpu.memory_sharing = can_share_by_fd(ordinal) ? "file descriptors" : "CUDA IPC";
  return gpu;
}

GpuPair look_at_pair(int from, int to) {
  GpuPair pair;
  if (from == to) return {true, true, 0};
  const auto attribute = [&](cudaDeviceP2PAttr which) {
    int value = 0;
    check_cuda(cudaDeviceGetP2PAttribute(&value, which, from, to), "cudaDeviceGetP2PAttribute");
    return value;
  };
  int access = 0;
  check_cuda(cudaDeviceCanAccessPeer(&access, from, to), "cudaDeviceCanAccessPeer");
  pair.access = access != 0 && attribute(cudaDevP2PAttrAccessSupported) != 0;
  pair.native_atomics = attribute(cudaDevP2PAttrNativeAtomicSupported) != 0;
  pair.performance_rank = attribute(cudaDevP2PAttrPerformanceRank);
  return pair;
}

}  // namespace

GpuSurvey survey_gpus(const std::string& nccl_library) {
  GpuSurvey survey;
  static_cast<void>(cudaRuntimeGetVersion(&survey.runtime_version));
  static_cast<void>(cudaDriverGetVersion(&survey.driver_version));
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    survey.problem = survey.driver_version == 0 ? "no NVIDIA driver is loaded"
                     : status != cudaSuccess    ? cudaGetErrorString(status)
                                                : "no GPU is visible";
    return survey;
  }
  for (int from = 0; from < count; ++from) {
    survey.gpus.push_back(look_at(from));
    for (int to = 0; to < count; ++to) survey.pairs.push_back(look_at_pair(from, to));
  }
#if RINGSIDE_HAS_NCCL
  survey.nccl = survey_nccl(nccl_library);
#else
  survey.nccl.problem = "this binary was built without NCCL's header";
#endif
  return survey;
}

}  // namespace ringside
