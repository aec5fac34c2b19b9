#include "device/cuda/handles.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/units.hpp"
#include "device/cuda/cuda_error.hpp"

namespace ringside {

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

GraphExec make_executable(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  return GraphExec(executable);
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  check_cuda(cudaMalloc(&data_, bytes), fmt::format("cudaMalloc of {}", format_bytes({bytes})));
  const cudaError_t status = cudaMemset(data_, 0, bytes);
  if (status == cudaSuccess) return;
  static_cast<void>(cudaFree(data_));
  check_cuda(status, "cudaMemset");
}

DeviceMemory::~DeviceMemory() {
  if (data_ != nullptr) static_cast<void>(cudaFree(data_));
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
  check_cuda(cudaHostAlloc(&data_, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
             fmt::format("cudaHostAlloc of {}", format_bytes({bytes})));
  std::memset(data_, 0, bytes);
}

PinnedMemory::~PinnedMemory() {
  static_cast<void>(cudaFreeHost(data_));
}

}  // namespace ringside
