#pragma once

#include <cuda.h>

#include <cstddef>

#include "base/fd.hpp"
#include "base/units.hpp"

namespace ringside {

// Physical GPU memory mapped at an address of this process, readable and writable by one GPU. The address
// range is a multiple of the GPU's allocation granularity.
class MappedMemory {
 public:
  MappedMemory() = default;

  // New memory on GPU `device`, at least `bytes`, which can be exported as a file descriptor (and as a fabric
  // handle where the GPU has them), as NCCL's symmetric windows demand: one allocation, mapped from its first
  // byte.
  static MappedMemory create(int device, Bytes bytes);

  // A peer's memory of `bytes` (its size()), for use by GPU `device`. The descriptor is not needed
  // afterwards.
  static MappedMemory import(int device, int fd, Bytes bytes);

  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) noexcept;
  ~MappedMemory();

  std::byte* data() const { return reinterpret_cast<std::byte*>(address_); }
  Bytes size() const { return {size_}; }
  UniqueFd export_fd() const;

 private:
  void map(int device);

  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
  std::size_t size_ = 0;
  bool mapped_ = false;
};

// Whether GPU `device` can make memory that is shared by file descriptor.
bool can_share_by_fd(int device);

}  // namespace ringside
