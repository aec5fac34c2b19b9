#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "gpu/kernel_bench/ranks.hpp"

namespace ringside::bench {

// Throws std::runtime_error that names the call.
void check(cudaError_t status, const char* call);
void check(CUresult status, const char* call);

// GPU memory of one size on every rank, all of it mapped here: cuMem allocations shared by file descriptor.
// It stays mapped until the process ends.
class PeerMemory {
 public:
  // Rank r takes GPU r. Collective.
  PeerMemory(Ranks& ranks, std::size_t bytes);

  std::byte* of(int rank) const { return bases_[static_cast<std::size_t>(rank)]; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::byte*> bases_;
  std::size_t size_ = 0;
};

}  // namespace ringside::bench
