#include "device/cuda/mapped_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/driver_api.hpp"

namespace ringside {
namespace {

CUmemAllocationProp properties(int device, unsigned handle_types) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  prop.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(handle_types);
  prop.allocFlags.gpuDirectRDMACapable =
      driver_attribute(device, CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED) != 0;
  return prop;
}

}  // namespace

bool can_share_by_fd(int device) {
  return driver_attribute(device, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) != 0 &&
         driver_attribute(device, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED) != 0;
}

MappedMemory MappedMemory::create(int device, Bytes bytes) {
  const DriverApi& driver = driver_api();
  unsigned handle_types = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (driver_attribute(device, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED) != 0) {
    handle_types |= CU_MEM_HANDLE_TYPE_FABRIC;
  }
  CUmemAllocationProp prop = properties(device, handle_types);
  std::size_t granularity = 0;
  check_cuda(driver.granularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
             "cuMemGetAllocationGranularity");

  MappedMemory memory;
  memory.size_ = (bytes.count + granularity - 1) / granularity * granularity;
  CUresult status = driver.create(&memory.handle_, memory.size_, &prop, 0);
  if (status == CUDA_ERROR_NOT_PERMITTED || status == CUDA_ERROR_NOT_SUPPORTED) {
    // Fabric handles need a running IMEX daemon; the attribute does not tell.
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    status = driver.create(&memory.handle_, memory.size_, &prop, 0);
  }
  check_cuda(status, fmt::format("cuMemCreate of {}", format_bytes(memory.size())));
  memory.map(device);
  return memory;
}

MappedMemory MappedMemory::import(int device, int fd, Bytes bytes) {
  MappedMemory memory;
  memory.size_ = bytes.count;
  check_cuda(
      driver_api().import_handle(&memory.handle_, reinterpret_cast<void*>(static_cast<std::uintptr_t>(fd)),
                                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
      "cuMemImportFromShareableHandle");
  memory.map(device);
  return memory;
}

void MappedMemory::map(int device) {
  const DriverApi& driver = driver_api();
  check_cuda(driver.reserve(&address_, size_, 0, 0, 0), "cuMemAddressReserve");
  check_cuda(driver.map(address_, size_, 0, handle_, 0), "cuMemMap");
  mapped_ = true;
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check_cuda(driver.set_access(address_, size_, &access, 1),
             fmt::format("cuMemSetAccess for GPU {}", device));
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : handle_(std::exchange(other.handle_, 0)),
      address_(std::exchange(other.address_, 0)),
      size_(other.size_),
      mapped_(std::exchange(other.mapped_, false)) {}

MappedMemory& MappedMemory::operator=(MappedMemory&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

MappedMemory::~MappedMemory() {
  if (handle_ == 0) return;
  const DriverApi& driver = driver_api();
  if (mapped_) driver.unmap(address_, size_);
  if (address_ != 0) driver.free_range(address_, size_);
  driver.release(handle_);
}

UniqueFd MappedMemory::export_fd() const {
  int fd = -1;
  check_cuda(driver_api().export_handle(&fd, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
             "cuMemExportToShareableHandle");
  UniqueFd owned(fd);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return owned;
}

}  // namespace ringside
