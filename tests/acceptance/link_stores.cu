// How fast two GPUs store into each other's memory, found without any of ringside's code: one process,
// cudaMalloc, both directions at once, launches one behind the other. Prints one line of JSON: GB/s of one
// direction, of the slower GPU, in the best of a few grids; or why it was skipped. link_stores [BYTES], 64
// MiB if not given.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kLaunches = 40;  // long against the time between the starts of the two GPUs
constexpr int kTurns = 5;
constexpr int kThreads = 512;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "link_stores: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(3);
}

__global__ void fill(uint4* target, std::size_t count, std::uint32_t value) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{blockDim.x})
    target[i] = uint4{value, value, value, value};
}

struct Gpu {
  uint4* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
};

double gbps(const Gpu (&gpus)[2], std::size_t bytes, int blocks) {
  for (int device : {0, 1}) {
    check(cudaSetDevice(device), "cudaSetDevice");
    const Gpu& gpu = gpus[device];
    for (int launch = -2; launch < kLaunches; ++launch) {  // two to warm up
      if (launch == 0) check(cudaEventRecord(gpu.begin, gpu.stream), "cudaEventRecord");
      fill<<<static_cast<unsigned>(blocks), kThreads, 0, gpu.stream>>>(
          gpus[1 - device].memory, bytes / sizeof(uint4), static_cast<std::uint32_t>(launch + 3));
    }
    check(cudaGetLastError(), "launch of fill");
    check(cudaEventRecord(gpu.end, gpu.stream), "cudaEventRecord");
  }
  float slower_ms = 0;
  for (const Gpu& gpu : gpus) {
    float milliseconds = 0;
    check(cudaStreamSynchronize(gpu.stream), "cudaStreamSynchronize");
    check(cudaEventElapsedTime(&milliseconds, gpu.begin, gpu.end), "cudaEventElapsedTime");
    slower_ms = std::max(slower_ms, milliseconds);
  }
  return static_cast<double>(bytes) * kLaunches / (slower_ms * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{64} << 20;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  if (count < 2) {
    std::printf("{\"skipped\": \"fewer than two GPUs\"}\n");
    return 0;
  }
  for (int device : {0, 1}) {
    int access = 0;
    check(cudaDeviceCanAccessPeer(&access, device, 1 - device), "cudaDeviceCanAccessPeer");
    if (access != 0) continue;
    std::printf("{\"skipped\": \"no peer access between the first two GPUs\"}\n");
    return 0;
  }
  Gpu gpus[2];
  int multiprocessors = 0;
  for (int device : {0, 1}) {
    Gpu& gpu = gpus[device];
    check(cudaSetDevice(device), "cudaSetDevice");
    check(cudaDeviceEnablePeerAccess(1 - device, 0), "cudaDeviceEnablePeerAccess");
    check(cudaMalloc(&gpu.memory, bytes), "cudaMalloc");
    check(cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreate(&gpu.begin), "cudaEventCreate");
    check(cudaEventCreate(&gpu.end), "cudaEventCreate");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
  }
  double best_gbps = 0;
  int best_blocks = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (const int blocks :
         {multiprocessors / 2, multiprocessors, 2 * multiprocessors, 4 * multiprocessors}) {
      const double found = gbps(gpus, bytes, blocks);
      if (found > best_gbps) {
        best_gbps = found;
        best_blocks = blocks;
      }
    }
  }
  std::printf("{\"gbps\": %.1f, \"blocks\": %d, \"threads\": %d}\n", best_gbps, best_blocks, kThreads);
  return 0;
}
