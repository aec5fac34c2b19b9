// symmetric-lsa's wait, between two GPUs: NCCL takes no two ranks on one. Where there is one GPU only, or no
// NCCL library, there is nothing to test.
#include <array>
#include <chrono>
#include <string>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/device_lost.hpp"
#include "device/cuda/gpu_names.hpp"
#include "device/cuda/nccl/nccl_survey.hpp"
#include "device/cuda/nccl_search.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/gpu_sum.hpp"
#include "support/thread_team.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kCount = 2048;

int gpus_here() {
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return count;
}

bool library_is_that_of_the_build() {
  const NcclFacts nccl = survey_nccl("");
  return nccl.version == nccl.header_version;
}

CudaSettings on_two_gpus(std::chrono::nanoseconds wait_limit) {
  CudaSettings settings;
  settings.gpus = {gpu_uuid(0), gpu_uuid(1)};
  settings.arena = 8_MiB;
  settings.nccl_library = find_nccl("").front().path;
  settings.wait_limit = wait_limit;
  return settings;
}

Case small_case() {
  Case params;
  params.strategy = "symmetric-lsa";
  params.device = DeviceKind::cuda;
  params.mode = Mode::eager;
  params.bytes = {kCount * 2};
  params.dtype = DType::bf16;
  params.ranks = 2;
  return params;
}

}  // namespace

TEST_CASE("symmetric-lsa gives up waiting in NCCL's barrier for a rank that never comes, and says for whom",
          "[timing]") {
  const Strategy* lsa = find_strategy("symmetric-lsa", DeviceKind::cuda);
  if (lsa == nullptr || gpus_here() < 2 || !library_is_that_of_the_build()) {
    WARN("needs two GPUs, and in the build the device header of the library that is here");
    return;
  }
  const Elements sum =
      expected_sum({test_input(DType::bf16, kCount, 0, 0), test_input(DType::bf16, kCount, 1, 0)});
  std::array<bool, 2> right{};
  std::string message;
  bool ends_process = false;
  std::chrono::nanoseconds waited{};
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_two_gpus(200ms));
    const auto rank = static_cast<std::size_t>(device.rank());
    std::byte* const input = device.arena().allocate(small_case().bytes);
    std::byte* const output = device.arena().allocate(small_case().bytes);
    device.write(input, test_input(DType::bf16, kCount, device.rank(), 0).bytes);
    const auto collective = lsa->prepare(device, small_case());
    bootstrap.barrier();
    device.run([&] { collective->enqueue(input, output); });
    std::vector<std::byte> got(sum.bytes.size());
    device.read(got, output);
    right[rank] = got == sum.bytes;
    bootstrap.barrier();
    if (rank == 0) {
      const auto begin = std::chrono::steady_clock::now();
      try {
        device.run([&] { collective->enqueue(input, output); });
      } catch (const DeviceLost& error) {
        message = error.what();
        ends_process = error.ends_process();
      }
      waited = std::chrono::steady_clock::now() - begin;
    }
    bootstrap.barrier();
  });
  CHECK(right == std::array{true, true});
  CHECK(message.starts_with(
      "waited 200 ms for rank 1 in symmetric-lsa, in NCCL's barrier and gave up (count "));
  CHECK(ends_process);
  CHECK(waited >= 200ms);
  CHECK(waited < 2s);
}
