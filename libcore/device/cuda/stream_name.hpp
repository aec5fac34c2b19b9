#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace ringside {

// How a profiler calls the stream; in a build without nvtx3 headers, nothing.
void name_stream_for_nvtx(cudaStream_t stream, const std::string& name);

}  // namespace ringside
