// How long a flag takes from one GPU to another, found without any of ringside's code: one process,
// cudaMalloc, one thread on each GPU, volatile accesses. A flag lies in one slice of the second-level cache,
// nearer to its reader or farther, so many places are tried. Prints one line of JSON: the one-way time in ns
// at the best place, the middle one and the worst.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kRounds = 1000;
constexpr int kPlaces = 256;
constexpr std::size_t kStride = 4096 + 128;  // bytes from place to place
constexpr std::uint64_t kMostPolls = 1u << 26;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "flag_ping_pong: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(3);
}

// The starter sends round 1, the other one answers with the same, and so on.
__global__ void ping_pong(volatile std::uint32_t* mine, volatile std::uint32_t* theirs, bool starts) {
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    if (starts) *theirs = round;
    for (std::uint64_t polls = 0; *mine != round; ++polls) {
      if (polls == kMostPolls) return;
    }
    if (!starts) *theirs = round;
  }
}

struct Gpu {
  std::byte* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;

  std::uint32_t* flag(int place) const { return reinterpret_cast<std::uint32_t*>(memory + place * kStride); }
};

Gpu set_up(int device) {
  Gpu gpu;
  check(cudaSetDevice(device), "cudaSetDevice");
  check(cudaDeviceEnablePeerAccess(1 - device, 0), "cudaDeviceEnablePeerAccess");
  check(cudaMalloc(&gpu.memory, kPlaces * kStride), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaEventCreate(&gpu.begin), "cudaEventCreate");
  check(cudaEventCreate(&gpu.end), "cudaEventCreate");
  return gpu;
}

double one_way_ns(const Gpu (&gpus)[2], int place) {
  for (int device : {1, 0}) {
    const Gpu& gpu = gpus[device];
    check(cudaSetDevice(device), "cudaSetDevice");
    check(cudaMemsetAsync(gpu.memory, 0, kPlaces * kStride, gpu.stream), "cudaMemset");
    check(cudaStreamSynchronize(gpu.stream), "cudaStreamSynchronize");
  }
  for (int device : {1, 0}) {
    const Gpu& gpu = gpus[device];
    check(cudaSetDevice(device), "cudaSetDevice");
    check(cudaEventRecord(gpu.begin, gpu.stream), "cudaEventRecord");
    ping_pong<<<1, 1, 0, gpu.stream>>>(gpu.flag(place), gpus[1 - device].flag(place), device == 0);
    check(cudaEventRecord(gpu.end, gpu.stream), "cudaEventRecord");
  }
  float milliseconds = 0;
  for (const Gpu& gpu : gpus) check(cudaStreamSynchronize(gpu.stream), "cudaStreamSynchronize");
  check(cudaEventElapsedTime(&milliseconds, gpus[0].begin, gpus[0].end), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e6 / (2.0 * kRounds);
}

}  // namespace

int main() {
  const Gpu gpus[2] = {set_up(0), set_up(1)};
  one_way_ns(gpus, 0);
  std::vector<double> times;
  for (int place = 0; place < kPlaces; ++place) times.push_back(one_way_ns(gpus, place));
  std::sort(times.begin(), times.end());
  std::printf("{\"best_ns\": %.1f, \"median_ns\": %.1f, \"worst_ns\": %.1f, \"places\": %d}\n", times.front(),
              times[times.size() / 2], times.back(), kPlaces);
  return 0;
}
