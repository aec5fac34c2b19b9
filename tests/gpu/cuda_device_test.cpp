// The device as ranks use it. Where one GPU is enough the ranks are threads of this process on the same GPU;
// real rank processes on several GPUs are what tests/cli/cuda_*_test.py run.
#include "device/cuda/cuda_device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/device_lost.hpp"
#include "device/cuda/gpu_names.hpp"
#include "device/cuda/mapped_memory.hpp"
#include "kernels/delay.hpp"
#include "kernels/empty_node.hpp"
#include "support/catch.hpp"
#include "support/gpu_sum.hpp"
#include "support/thread_team.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

CudaSettings on_one_gpu(int ranks, Bytes arena = 8_MiB) {
  CudaSettings settings;
  settings.gpus.assign(static_cast<std::size_t>(ranks), gpu_uuid(0));
  settings.arena = arena;
  settings.wait_limit = 2s;
  return settings;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

}  // namespace

TEST_CASE("a GPU is found by its UUID and not by a wrong one") {
  CHECK(find_gpus({gpu_uuid(0)}, 1) == std::vector<int>{0});
  CHECK_THROWS_AS(find_gpus({"GPU-00000000-0000-0000-0000-000000000000"}, 1), EnvironmentError);
  CHECK_THROWS_AS(find_gpus({}, 1000), EnvironmentError);
}

TEST_CASE("a failed call names the call and clears the error for the next one") {
  try {
    void* data = nullptr;
    check_cuda(cudaMalloc(&data, std::size_t{1} << 60), "cudaMalloc of far too much");
    FAIL("no error was thrown");
  } catch (const CudaError& error) {
    CHECK(std::string(error.what()) ==
          "cudaMalloc of far too much: out of memory (cudaErrorMemoryAllocation)");
    CHECK_FALSE(error.ends_process());
  }
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("shared memory crosses a descriptor and is given back when its last mapping goes") {
  check_cuda(cudaFree(nullptr), "cudaFree");
  const std::size_t before = free_memory();
  {
    MappedMemory own = MappedMemory::create(0, 64_MiB);
    check_cuda(cudaMemset(own.data(), 7, own.size().count), "cudaMemset");
    MappedMemory same = MappedMemory::import(0, own.export_fd().get(), own.size());
    own = MappedMemory();
    unsigned char byte = 0;
    check_cuda(cudaMemcpy(&byte, same.data() + (64 << 20) - 1, 1, cudaMemcpyDeviceToHost), "cudaMemcpy");
    CHECK(byte == 7);
    CHECK(free_memory() + (64u << 20) <= before);
  }
  CHECK(free_memory() == before);
}

TEST_CASE("every rank's arena is mapped on every rank, at the same offsets") {
  std::atomic<int> right{0};
  std::atomic<int> by_fd{0};
  run_on_threads(3, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(3));
    by_fd += device.all_within_reach() && device.memory().sharing() == "file descriptors";
    std::byte* block = device.arena().allocate(4_KiB);
    device.write(block, std::vector<std::byte>(4096, static_cast<std::byte>(10 + device.rank())));
    bootstrap.barrier();
    for (int peer = 0; peer < 3; ++peer) {
      std::vector<std::byte> theirs(4096);
      device.read(theirs, device.arena().on_rank(peer, block));
      right += std::count(theirs.begin(), theirs.end(), static_cast<std::byte>(10 + peer)) == 4096;
    }
    bootstrap.barrier();
  });
  CHECK(by_fd == 3);
  CHECK(right == 9);
}

TEST_CASE("a device that is gone leaves nothing on the GPU", "[timing]") {
  const auto make_and_drop = [] {
    run_on_threads(2, [](Bootstrap& bootstrap) {
      CudaDevice device(bootstrap, on_one_gpu(2, 32_MiB));
      device.measure_limits(64_KiB);
      bootstrap.barrier();
    });
  };
  make_and_drop();  // what CUDA keeps for itself after the first use
  const std::size_t before = free_memory();
  for (int i = 0; i < 3; ++i) make_and_drop();
  CHECK(free_memory() == before);
}

TEST_CASE("an arena that does not fit is refused before anything is allocated, on all ranks") {
  std::atomic<int> refused{0};
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    try {
      CudaDevice device(bootstrap, on_one_gpu(2, {std::uint64_t{1} << 50}));
    } catch (const EnvironmentError& error) {
      refused += std::string(error.what()).find("is needed") != std::string::npos;
    }
  });
  CHECK(refused == 2);
}

TEST_CASE("a graph's repetitions are timed one by one, without the barrier before them", "[timing]") {
  std::array<std::vector<double>, 2> times;
  std::atomic<int> captured{0};
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(2));
    const auto workload = device.make_workload(Mode::graph, [&] {
      ++captured;
      device.enqueue_delay(200us);
    });
    std::vector<double>& mine = times[static_cast<std::size_t>(device.rank())];
    mine.resize(70);
    if (device.rank() == 0) std::this_thread::sleep_for(50ms);  // the other one waits in the barrier
    workload->repeat(mine);
    bootstrap.barrier();
  });
  CHECK(captured == 2);
  for (const std::vector<double>& mine : times) {
    CHECK(*std::min_element(mine.begin(), mine.end()) >= 195'000);
    CHECK(*std::max_element(mine.begin(), mine.end()) < 1'000'000);
  }
}

TEST_CASE("what comes around a repetition is not timed", "[timing]") {
  std::vector<double> times(3);
  run_on_threads(1, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1));
    const auto workload = device.make_workload(
        Mode::graph, [&] { check_cuda(launch_empty_node(device.stream()), "launch of empty_node"); },
        {.before =
             [&] {
               device.enqueue_eviction();
               device.enqueue_delay(5ms);
             },
         .after = [&] { device.enqueue_delay(5ms); }});
    workload->repeat(times);
  });
  CHECK(*std::max_element(times.begin(), times.end()) < 1'000'000);
}

TEST_CASE("eager calls are made again for every repetition") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1));
    int calls = 0;
    const auto workload = device.make_workload(Mode::eager, [&] {
      ++calls;
      check_cuda(launch_empty_node(device.stream()), "launch of empty_node");
    });
    std::vector<double> times(5);
    workload->repeat(times);
    CHECK(calls == 5);
    CHECK(*std::min_element(times.begin(), times.end()) > 0);
  });
}

TEST_CASE("a capture that fails leaves the stream usable, and the failing call is named") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1));
    try {
      device.make_workload(Mode::graph, [&] {
        check_cuda(launch_empty_node(device.stream()), "launch of empty_node");
        check_cuda(cudaStreamSynchronize(device.stream()), "cudaStreamSynchronize in a capture");
      });
      FAIL("a synchronisation was captured");
    } catch (const CudaError& error) {
      CHECK(std::string(error.what()).starts_with("cudaStreamSynchronize in a capture: "));
    }
    bool ran = false;
    device.run([&] { ran = launch_empty_node(device.stream()) == cudaSuccess; });
    CHECK(ran);
  });
}

TEST_CASE("copies inside the arena are part of a workload") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1));
    std::byte* a = device.arena().allocate(1_KiB);
    std::byte* b = device.arena().allocate(1_KiB);
    device.write(a, std::vector<std::byte>(1024, std::byte{1}));
    device.write(b, std::vector<std::byte>(1024, std::byte{2}));
    const auto workload = device.make_workload(Mode::graph, [&] { device.enqueue_copy(b, a, 512); });
    std::vector<double> times(1);
    workload->repeat(times);
    std::vector<std::byte> got(1024);
    device.read(got, b);
    CHECK(got[511] == std::byte{1});
    CHECK(got[512] == std::byte{2});
  });
}

TEST_CASE("a rank whose peer stays away is lost with a message that names it", "[timing]") {
  std::string message;
  bool ends_process = false;
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    CudaSettings settings = on_one_gpu(2);
    settings.wait_limit = 50ms;
    CudaDevice device(bootstrap, settings);
    if (device.rank() == 0) {
      const auto workload = device.make_workload(Mode::eager, [] {});
      std::vector<double> times(1);
      try {
        workload->repeat(times);
      } catch (const DeviceLost& error) {
        message = error.what();
        ends_process = error.ends_process();
      }
    }
    bootstrap.barrier();
  });
  CHECK(message ==
        "waited 50.0 ms for rank 1 in the barrier before a repetition and gave up (count 1, seen 0, "
        "block 0)");
  CHECK(ends_process);
}

TEST_CASE("what is watched can end a wait that would never end", "[timing]") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1));
    struct Troubled final : Watched {
      std::optional<std::string> trouble() override { return "the library has an error"; }
      void abort() override { ++aborts; }
      int aborts = 0;
    } troubled;
    device.watch(troubled);
    try {
      device.run([&] { kernels::launch_delay(500'000'000, device.stream()); });
      FAIL("the trouble was not seen");
    } catch (const DeviceLost& error) {
      CHECK(std::string(error.what()) == "the library has an error");
    }
    CHECK(troubled.aborts == 1);
    device.unwatch(troubled);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
}

TEST_CASE("limits are measured once and are plausible for ranks on one GPU", "[timing]") {
  std::array<LinkLimits, 2> first;
  std::array<LinkLimits, 2> second;
  std::atomic<bool> arena_left_empty{true};
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(2, 80_MiB));
    const auto rank = static_cast<std::size_t>(device.rank());
    first[rank] = device.measure_limits(1_MiB);
    if (device.arena().used().count != 0) arena_left_empty = false;
    second[rank] = device.measure_limits(1_MiB);
    bootstrap.barrier();
  });
  CHECK(arena_left_empty);
  for (const std::size_t rank : {0u, 1u}) {
    REQUIRE(first[rank].one_way_latency_ns);
    REQUIRE(first[rank].node_gap_ns);
    REQUIRE(first[rank].bandwidth_gbps);
    CHECK(*first[rank].one_way_latency_ns > 50);
    CHECK(*first[rank].one_way_latency_ns < 20'000);
    CHECK(*first[rank].node_gap_ns > 100);
    CHECK(*first[rank].node_gap_ns < 20'000);
    CHECK(*first[rank].bandwidth_gbps > 10);
    CHECK(first[rank].missing.empty());
    CHECK(second[rank].bandwidth_gbps == first[rank].bandwidth_gbps);
    CHECK(second[rank].one_way_latency_ns == first[rank].one_way_latency_ns);
    CHECK(first[rank].one_way_latency_ns == first[0].one_way_latency_ns);
  }
}

TEST_CASE("a short message gets the bandwidth of all SMs, not of the one that its bytes keep at work",
          "[timing]") {
  std::array<LinkLimits, 2> large;
  std::array<LinkLimits, 2> small;
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(2, 80_MiB));
    const auto rank = static_cast<std::size_t>(device.rank());
    small[rank] = device.measure_limits(16_KiB);
    large[rank] = device.measure_limits(64_MiB);
    bootstrap.barrier();
  });
  REQUIRE(small[0].bandwidth_gbps);
  REQUIRE(large[0].bandwidth_gbps);
  CHECK(*small[0].bandwidth_gbps > 0.5 * *large[0].bandwidth_gbps);
}

TEST_CASE("one rank has a node gap and no link") {
  run_on_threads(1, [](Bootstrap& bootstrap) {
    CudaDevice device(bootstrap, on_one_gpu(1, 32_MiB));
    const LinkLimits limits = device.measure_limits(1_MiB);
    CHECK(limits.node_gap_ns);
    CHECK_FALSE(limits.one_way_latency_ns);
    CHECK_FALSE(limits.bandwidth_gbps);
    CHECK(limits.missing == "one rank has no link");
  });
}
