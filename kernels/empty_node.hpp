#pragma once

#include <cuda_runtime_api.h>

namespace ringside {

// Enqueues a kernel that does nothing: one block of one thread. A graph of a few hundred of them has no cost
// but the gap between two nodes, which is the part of a captured collective that no algorithm can avoid.
// Returns the launch's error.
cudaError_t launch_empty_node(cudaStream_t stream);

}  // namespace ringside
