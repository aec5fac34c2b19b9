// On GPUs, too, a session takes of the arena what was counted for it. Two ranks are threads with a GPU each:
// on one GPU the probe of the link does not end. NCCL has no part: its strategies take nothing of the arena.
#include "protocol/group_memory.hpp"

#include <array>
#include <string>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/gpu_names.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"
#include "support/thread_team.hpp"
#include "worker/measure_session.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

constexpr int kRanks = 2;

Case make_case(const Strategy& strategy, Mode mode, Bytes bytes) {
  Case params;
  params.collective = strategy.collective();
  params.strategy = strategy.name();
  params.device = DeviceKind::cuda;
  params.mode = mode;
  params.bytes = bytes;
  params.dtype = DType::bf16;
  params.ranks = kRanks;
  return params;
}

// The most that the ranks' arenas held.
std::array<Bytes, kRanks> peaks(Bytes arena, const BeginGroup& group, const Case& params) {
  std::array<Bytes, kRanks> most{};
  run_on_threads(kRanks, [&](Bootstrap& bootstrap) {
    CudaSettings settings;
    for (int gpu = 0; gpu < kRanks; ++gpu) settings.gpus.push_back(gpu_uuid(gpu));
    settings.arena = arena;
    settings.wait_limit = 10s;  // a checker slows kernels down
    CudaDevice device(bootstrap, settings);
    const ProgressCells cells(kRanks);
    MeasureSession session(device, cells[0]);
    session.handle(encode(Request(group)));
    session.handle(encode(Request(MeasureLimits{group.message})));
    for (int slot = 0; slot < 2; ++slot) session.handle(encode(Request(Prepare{slot, params})));
    session.handle(encode(Request(MeasureLimits{group.message})));
    session.handle(encode(Request(EndGroup{})));
    most[static_cast<std::size_t>(device.rank())] = device.arena().peak();
  });
  return most;
}

}  // namespace

TEST_CASE("our kernels take of a GPU's arena what was counted, and custom takes no more") {
  need_gpus(kRanks);
  for (const Strategy* strategy : all_strategies()) {
    if (strategy->device() != DeviceKind::cuda || !strategy->name().starts_with("custom")) continue;
    if (strategy->name().ends_with(":pdl")) continue;  // the same memory, and not every GPU has it
    for (const Bytes bytes : {Bytes{6}, 2_KiB, 64_KiB, Bytes{70'002}, 1_MiB}) {
      for (const std::size_t cold_inputs : {0, 3}) {
        INFO(strategy->name() << ", " << bytes.count << " bytes, " << cold_inputs << " cold inputs");
        const Case params = make_case(*strategy, Mode::eager, bytes);
        const BeginGroup group = whole_group(params, cold_inputs);
        const Bytes counted = arena_need(group, std::vector<GroupMember>(2, {strategy, &params}));
        const auto taken = peaks(counted, group, params);
        CHECK(taken[0] == taken[1]);
        if (strategy->name() == "custom") {
          CHECK(taken[0] <= counted);
        } else {
          CHECK(taken[0] == counted);
        }
      }
    }
  }
}
