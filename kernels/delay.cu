#include "kernels/delay.hpp"

#include "kernels/wait.cuh"

namespace ringside::kernels {
namespace {

constexpr std::uint64_t kLongestNs = 1'000'000'000;

__global__ void delay(std::uint64_t duration_ns) {
  const std::uint64_t start = global_timer_ns();
  while (global_timer_ns() - start < duration_ns) {
  }
}

}  // namespace

void launch_delay(std::uint64_t duration_ns, cudaStream_t stream) {
  delay<<<1, 1, 0, stream>>>(duration_ns < kLongestNs ? duration_ns : kLongestNs);
}

}  // namespace ringside::kernels
