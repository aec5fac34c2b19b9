#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

namespace ringside {

// Owns a CUDA handle. Release frees it without throwing: after a lost context every free fails, and that is
// no news.
template <typename Handle, auto Release>
class CudaHandle {
 public:
  CudaHandle() = default;
  explicit CudaHandle(Handle handle) noexcept : handle_(handle) {}
  CudaHandle(CudaHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  CudaHandle& operator=(CudaHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~CudaHandle() {
    if (handle_ != nullptr) static_cast<void>(Release(handle_));
  }

  Handle get() const noexcept { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Stream = CudaHandle<cudaStream_t, &cudaStreamDestroy>;
using Event = CudaHandle<cudaEvent_t, &cudaEventDestroy>;
using Graph = CudaHandle<cudaGraph_t, &cudaGraphDestroy>;
using GraphExec = CudaHandle<cudaGraphExec_t, &cudaGraphExecDestroy>;

// A stream that does not wait for the legacy default stream.
Stream make_stream();
Event make_event();  // with time stamps
GraphExec make_executable(cudaGraph_t graph);

// Memory of the current GPU, zeroed.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceMemory();

  void* get() const noexcept { return data_; }
  template <typename T>
  T* as() const noexcept {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

// Host memory that the GPU reads and writes at the same address (pinned, mapped), zeroed.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes);
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory();

  template <typename T>
  T* as() const noexcept {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

}  // namespace ringside
