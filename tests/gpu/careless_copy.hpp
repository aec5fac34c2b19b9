#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ringside::test {

// Copies `bytes`, a multiple of 4, as an allreduce of one rank would. Launched as dependent on the kernel
// before it; `waits` says whether it waits for that kernel, as it must.
cudaError_t launch_careless_copy(std::byte* target, const std::byte* source, std::size_t bytes, bool waits,
                                 cudaStream_t stream);

}  // namespace ringside::test
