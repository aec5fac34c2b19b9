// What the packet strategies do around their kernels: slots in the arena, several places tried, the
// fastest kept. The ranks are threads on one GPU.
#include "strategy/cuda/packet_strategy.hpp"

#include <array>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/gpu_names.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/gpu_sum.hpp"
#include "support/thread_team.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

constexpr int kRanks = 2;

CudaSettings on_one_gpu(Bytes arena) {
  CudaSettings settings;
  settings.gpus.assign(kRanks, gpu_uuid(0));
  settings.arena = arena;
  settings.wait_limit = 10s;  // a checker slows kernels down
  return settings;
}

Case packet_case(const std::string& strategy, Bytes bytes) {
  Case params;
  params.strategy = strategy;
  params.device = DeviceKind::cuda;
  params.mode = Mode::eager;
  params.bytes = bytes;
  params.dtype = DType::bf16;
  params.ranks = kRanks;
  return params;
}

}  // namespace

TEST_CASE("a packet strategy that has tried its places is right, in the memory that was counted") {
  for (const char* name : {"custom-push", "custom-push-ll", "custom-two-shot"}) {
    for (const Bytes bytes : {2_KiB, 128_KiB}) {  // six places and one
      INFO(name << ", " << bytes.count << " bytes");
      const Strategy* strategy = find_strategy(name, DeviceKind::cuda);
      REQUIRE(strategy != nullptr);
      const Case params = packet_case(name, bytes);
      std::vector<Elements> inputs;
      for (int r = 0; r < kRanks; ++r) inputs.push_back(test_input(DType::bf16, params.count(), r, 0));
      const Elements sum = expected_sum(inputs);
      std::array<bool, kRanks> right{};
      Arena counting = Arena::counting(kRanks);
      for (int buffer = 0; buffer < 2; ++buffer) counting.allocate(bytes);
      strategy->allocate(counting, params);
      std::array<Bytes, kRanks> used{};
      std::array<Bytes, kRanks> peak{};
      run_on_threads(kRanks, [&](Bootstrap& bootstrap) {
        CudaDevice device(bootstrap, on_one_gpu(counting.peak()));
        const auto rank = static_cast<std::size_t>(device.rank());
        std::byte* const input = device.arena().allocate(bytes);
        std::byte* const output = device.arena().allocate(bytes);
        device.write(input, inputs[rank].bytes);
        device.fill(output, std::byte{0xCB}, bytes.count);
        const auto collective = strategy->prepare(device, params);
        used[rank] = device.arena().used();
        peak[rank] = device.arena().peak();
        bootstrap.barrier();
        for (int call = 0; call < 3; ++call) device.run([&] { collective->enqueue(input, output); });
        std::vector<std::byte> got(bytes.count);
        device.read(got, output);
        right[rank] = got == sum.bytes;
        bootstrap.barrier();
      });
      CHECK(right == std::array{true, true});
      CHECK(used == std::array{counting.used(), counting.used()});
      CHECK(peak == std::array{counting.peak(), counting.peak()});
    }
  }
}
