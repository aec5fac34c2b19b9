#include "kernels/simple.hpp"

#include "kernels/wait.cuh"

namespace ringside::kernels {
namespace {

constexpr std::uint64_t kLongestDelayNs = 1'000'000'000;

__global__ void empty() {}

__global__ void delay(std::uint64_t duration_ns) {
  const std::uint64_t start = global_timer_ns();
  while (global_timer_ns() - start < duration_ns) {
  }
}

}  // namespace

void launch_empty(cudaStream_t stream) {
  empty<<<1, 1, 0, stream>>>();
}

void launch_delay(std::uint64_t duration_ns, cudaStream_t stream) {
  delay<<<1, 1, 0, stream>>>(duration_ns < kLongestDelayNs ? duration_ns : kLongestDelayNs);
}

}  // namespace ringside::kernels
