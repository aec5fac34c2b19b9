#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace ringside::kernels {

// Enqueues a kernel that adds the hash of the bytes (hash_bytes() of libcore/base/hash_bytes.hpp) to *sum,
// which lies on the GPU. It begins when the kernel before it is complete. `data` may lie anywhere. Returns
// the launch's error.
cudaError_t launch_digest(const std::byte* data, std::size_t bytes, std::uint64_t* sum, cudaStream_t stream);

}  // namespace ringside::kernels
