#include "device/host/host_device.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "base/errors.hpp"
#include "device/host/link_limits.hpp"
#include "support/catch.hpp"
#include "support/thread_team.hpp"

using namespace ringside;

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

}  // namespace

TEST_CASE("what a rank writes to its arena is found there by its peers, at the same offset", "[threads]") {
  std::vector<std::string> seen(3);
  run_host_ranks(3, 64_KiB, [&](HostDevice& device) {
    device.arena().allocate(100_B);
    std::byte* const block = device.arena().allocate(16_B);
    const std::string mine = "from rank " + std::to_string(device.rank());
    device.write(block, bytes_of(mine));
    device.barrier();
    const int peer = (device.rank() + 1) % 3;
    std::vector<std::byte> copy(mine.size());
    device.read(copy, device.arena().on_rank(peer, block));
    seen[static_cast<std::size_t>(device.rank())].assign(reinterpret_cast<char*>(copy.data()), copy.size());
  });
  CHECK(seen == std::vector<std::string>{"from rank 1", "from rank 2", "from rank 0"});
}

TEST_CASE("ranks that map each other's memory by descriptor share it") {
  std::vector<int> seen(2);
  run_on_threads(2, [&](Bootstrap& bootstrap) {
    const auto memory = HostMemory::share(bootstrap, 3_MiB);
    const auto rank = static_cast<std::size_t>(bootstrap.rank());
    std::byte* const last = memory->bases()[rank] + (3_MiB).count - 1;
    *last = static_cast<std::byte>(7 + rank);
    bootstrap.barrier();
    seen[rank] = std::to_integer<int>(memory->bases()[1 - rank][(3_MiB).count - 1]);
    bootstrap.barrier();
  });
  CHECK(seen == std::vector<int>{8, 7});
}

TEST_CASE("memory that the system can't give is an error that says how much was asked for") {
  try {
    HostMemory::in_one_process(1, Bytes{std::uint64_t{1} << 60});
    FAIL("no system has so much");
  } catch (const SystemError& error) {
    CHECK(std::string(error.what()).find("1048576 TiB") != std::string::npos);
  }
}

TEST_CASE("nobody leaves a barrier before all have come to it", "[threads]") {
  constexpr int kRanks = 5;
  std::atomic<int> arrived{0};
  std::atomic<int> early{0};
  run_host_ranks(kRanks, 4_KiB, [&](HostDevice& device) {
    for (int round = 1; round <= 200; ++round) {
      arrived.fetch_add(1, std::memory_order_relaxed);
      device.barrier();
      if (arrived.load(std::memory_order_relaxed) < round * kRanks) early.fetch_add(1);
      device.barrier();
    }
  });
  CHECK(early == 0);
}

TEST_CASE("a workload runs its calls once per repetition and times each", "[threads]") {
  std::vector<int> runs(2);
  std::vector<double> times(7, -1.0);
  run_host_ranks(2, 4_KiB, [&](HostDevice& device) {
    int& mine = runs[static_cast<std::size_t>(device.rank())];
    const auto workload = device.make_workload(Mode::eager, [&mine] {
      ++mine;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    std::vector<double> mine_ns(7, -1.0);
    workload->repeat(mine_ns);
    if (device.rank() == 0) times = mine_ns;
  });
  CHECK(runs == std::vector<int>{7, 7});
  for (const double time_ns : times) CHECK(time_ns >= 1e6);
}

TEST_CASE("no repetition is timed before all ranks are there", "[threads]") {
  // Rank 1 is late by 20 ms; if rank 0 had started its clock before, it would show every time. Something else
  // on the machine may hold rank 0 up as long, but not every time.
  constexpr int kAttempts = 20;
  double waited_ns = 1e9;
  run_host_ranks(2, 4_KiB, [&](HostDevice& device) {
    const auto workload = device.make_workload(Mode::eager, [] {});
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (device.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      double time_ns = 0;
      workload->repeat({&time_ns, 1});
      if (device.rank() == 0) waited_ns = std::min(waited_ns, time_ns);
    }
  });
  CHECK(waited_ns < 15e6);
}

TEST_CASE("the host device refuses graphs and says what to use") {
  run_host_ranks(1, 4_KiB, [](HostDevice& device) {
    bool refused = false;
    try {
      device.make_workload(Mode::graph, [] {});
    } catch (const UsageError&) {
      refused = true;
    }
    if (!refused) throw std::logic_error("a graph was accepted");
  });
}

TEST_CASE("link limits are the same on every rank, and what two cores can do", "[threads]") {
  for (const int ranks : {2, 3}) {
    std::vector<LinkLimits> limits(static_cast<std::size_t>(ranks));
    std::atomic<bool> arena_left_empty{true};
    run_host_ranks(ranks, 1_MiB, [&](HostDevice& device) {
      limits[static_cast<std::size_t>(device.rank())] = device.measure_limits(64_KiB);
      if (device.arena().used().count != 0) arena_left_empty = false;
    });
    CHECK(arena_left_empty);
    for (const LinkLimits& each : limits) {
      CHECK(each.one_way_latency_ns == limits[0].one_way_latency_ns);
      CHECK(each.bandwidth_gbps == limits[0].bandwidth_gbps);
      CHECK(each.scatter == limits[0].scatter);
      CHECK(each.node_gap_ns == std::nullopt);
      CHECK(each.missing.empty());
    }
    REQUIRE(limits[0].one_way_latency_ns);
    REQUIRE(limits[0].bandwidth_gbps);
    CHECK(*limits[0].one_way_latency_ns > 10);
    CHECK(*limits[0].one_way_latency_ns < (ranks > usable_cores() ? 1e9 : 1e6));
    CHECK(*limits[0].bandwidth_gbps > 0.001);
    CHECK(*limits[0].bandwidth_gbps < 200);
    CHECK(limits[0].scatter >= 0);
  }
}

TEST_CASE("one rank has no link, so none of its limits is a number") {
  run_host_ranks(1, 1_MiB, [](HostDevice& device) {
    const LinkLimits limits = device.measure_limits(64_KiB);
    if (limits.one_way_latency_ns || limits.bandwidth_gbps || limits.missing.empty())
      throw std::logic_error("a link was measured");
  });
}

// What stands in the blocks afterwards shows that every rank wrote its input anew for each sample, and that
// the last way added up all of it, from all ranks.
TEST_CASE("the host's bandwidth is that of sums of what ranks have just written", "[threads]") {
  for (const int ranks : {2, 3}) {
    std::atomic<int> right{0};
    run_host_ranks(ranks, 1_MiB, [&](HostDevice& device) {
      measure_fresh_sum(device, 100_KiB);
      const SumBlock block = allocate_sum_block(device.arena(), 100_KiB);
      const auto* const input = reinterpret_cast<const float*>(block.input);
      const auto* const output = reinterpret_cast<const float*>(block.output);
      bool whole = input[0] >= 15;  // five samples of each of three ways, at least
      for (std::size_t i = 0; i < block.bytes / sizeof(float); ++i)
        whole = whole && input[i] == input[0] && output[i] == static_cast<float>(ranks) * input[0];
      right += whole;
    });
    CHECK(right == ranks);
  }
}
