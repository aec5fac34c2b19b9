#include "gpu/kernel_bench/peer_memory.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ringside::bench {
namespace {

template <typename Function>
Function driver(const char* name, Function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result), name);
  if (result != cudaDriverEntryPointSuccess) throw std::runtime_error(std::string(name) + " is missing");
  return reinterpret_cast<Function>(found);
}
#define DRIVER(name) driver(#name, &::name)

std::byte* map(CUmemGenericAllocationHandle handle, std::size_t bytes, int device) {
  CUdeviceptr address = 0;
  check(DRIVER(cuMemAddressReserve)(&address, bytes, 0, 0, 0), "cuMemAddressReserve");
  check(DRIVER(cuMemMap)(address, bytes, 0, handle, 0), "cuMemMap");
  CUmemAccessDesc access{};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check(DRIVER(cuMemSetAccess)(address, bytes, &access, 1), "cuMemSetAccess");
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

void check(CUresult status, const char* call) {
  if (status != CUDA_SUCCESS) {
    throw std::runtime_error(std::string(call) + ": driver error " + std::to_string(status));
  }
}

PeerMemory::PeerMemory(Ranks& ranks, std::size_t bytes) : bases_(ranks.size()) {
  const int device = ranks.rank();
  check(cudaSetDevice(device), "cudaSetDevice");
  check(cudaFree(nullptr), "cudaFree");
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  std::size_t granularity = 0;
  check(
      DRIVER(cuMemGetAllocationGranularity)(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
      "cuMemGetAllocationGranularity");
  size_ = (bytes + granularity - 1) / granularity * granularity;
  CUmemGenericAllocationHandle own = 0;
  check(DRIVER(cuMemCreate)(&own, size_, &properties, 0), "cuMemCreate");
  int fd = -1;
  check(DRIVER(cuMemExportToShareableHandle)(&fd, own, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        "cuMemExportToShareableHandle");
  const std::vector<int> fds = ranks.exchange_fd(fd);
  for (int r = 0; r < ranks.size(); ++r) {
    CUmemGenericAllocationHandle handle = own;
    if (r != ranks.rank()) {
      check(DRIVER(cuMemImportFromShareableHandle)(
                &handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(fds[r])),
                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            "cuMemImportFromShareableHandle");
    }
    bases_[static_cast<std::size_t>(r)] = map(handle, size_, device);
  }
  ranks.barrier();
}

}  // namespace ringside::bench
