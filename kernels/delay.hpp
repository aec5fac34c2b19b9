#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ringside::kernels {

// Enqueues a kernel that keeps the stream busy for `duration_ns`, one second at most.
void launch_delay(std::uint64_t duration_ns, cudaStream_t stream);

}  // namespace ringside::kernels
