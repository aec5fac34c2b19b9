#include "device/cuda/stream_name.hpp"

#if RINGSIDE_HAS_NVTX
#include <nvtx3/nvToolsExtCudaRt.h>
#endif

namespace ringside {

#if RINGSIDE_HAS_NVTX
void name_stream_for_nvtx(cudaStream_t stream, const std::string& name) {
  nvtxNameCudaStreamA(stream, name.c_str());
}
#else
void name_stream_for_nvtx(cudaStream_t, const std::string&) {}
#endif

}  // namespace ringside
