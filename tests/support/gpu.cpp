#include "support/gpu.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "support/catch.hpp"

namespace ringside {
namespace {

constexpr int kSkipped = 77;

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

// Listing the tests, which the build does, must work without a GPU; running them must not.
class GpuListener final : public Listener {
 public:
  using Listener::Listener;
  void testRunStarting(const Catch::TestRunInfo& info) override {
    // Kernels that wait for each other on one GPU must not meet one that is yet to be loaded: loading it
    // waits for them.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    need_gpus(1);
    Listener::testRunStarting(info);
  }
};

CATCH_REGISTER_LISTENER(GpuListener)

}  // namespace

void need_gpus(int count) {
  int have = 0;
  if (cudaGetDeviceCount(&have) != cudaSuccess) have = 0;
  if (have >= count) return;
  if (have == 0) {
    std::puts("skipped: no GPU");
  } else {
    std::printf("skipped: needs %d GPUs, %d here\n", count, have);
  }
  std::fflush(stdout);
  std::_Exit(kSkipped);
}

}  // namespace ringside
