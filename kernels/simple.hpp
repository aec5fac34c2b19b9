#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ringside::kernels {

// A kernel that does nothing: what is left of it is the cost of a graph node or a launch.
void launch_empty(cudaStream_t stream);

// A kernel that keeps the stream busy for `duration_ns`, one second at most.
void launch_delay(std::uint64_t duration_ns, cudaStream_t stream);

}  // namespace ringside::kernels
