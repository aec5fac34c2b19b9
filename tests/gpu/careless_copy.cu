#include "gpu/careless_copy.hpp"

#include "kernels/launch.cuh"

namespace ringside::test {
namespace {

struct Arguments {
  int* target;
  const int* source;
  std::size_t words;
  bool waits;
};

__global__ void careless_copy(Arguments arguments) {
  if (arguments.waits) kernels::wait_for_kernel_before();
  kernels::let_next_kernel_start();
  for (std::size_t i = threadIdx.x; i < arguments.words; i += blockDim.x)
    arguments.target[i] = reinterpret_cast<const volatile int*>(arguments.source)[i];
}

}  // namespace

cudaError_t launch_careless_copy(std::byte* target, const std::byte* source, std::size_t bytes, bool waits,
                                 cudaStream_t stream) {
  return kernels::launch(careless_copy, {.blocks = 1, .threads = 256, .dependent = true},
                         Arguments{reinterpret_cast<int*>(target), reinterpret_cast<const int*>(source),
                                   bytes / sizeof(int), waits},
                         stream);
}

}  // namespace ringside::test
