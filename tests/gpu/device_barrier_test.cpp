#include "kernels/device_barrier.hpp"

#include <chrono>
#include <vector>

#include "device/cuda/cuda_error.hpp"
#include "device/cuda/handles.hpp"
#include "kernels/delay.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

// Ranks on one GPU, a stream each.
struct Ranks {
  explicit Ranks(int count)
      : flags(sizeof(kernels::Flag) * kernels::kMaxRanks * static_cast<std::size_t>(count)) {
    for (int r = 0; r < count; ++r) {
      streams.push_back(make_stream());
      failures.emplace_back(sizeof(kernels::WaitFailure));
    }
  }

  kernels::FlagBoard board(int rank) const {
    kernels::FlagBoard board;
    board.rank = rank;
    board.ranks = static_cast<int>(streams.size());
    for (int r = 0; r < board.ranks; ++r)
      board.inboxes[r] = flags.as<kernels::Flag>() + r * kernels::kMaxRanks;
    return board;
  }

  void enqueue(int rank, std::uint32_t epoch, std::uint64_t limit_ns = 2'000'000'000) {
    const auto r = static_cast<std::size_t>(rank);
    kernels::launch_device_barrier(board(rank), epoch, {failures[r].as<kernels::WaitFailure>(), limit_ns},
                                   nullptr, 0, 0, streams[r].get());
    check_launch("device_barrier");
  }

  kernels::WaitFailure failure(int rank) const {
    kernels::WaitFailure failure;
    check_cuda(cudaMemcpy(&failure, failures[static_cast<std::size_t>(rank)].get(), sizeof failure,
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return failure;
  }

  DeviceMemory flags;
  std::vector<Stream> streams;
  std::vector<DeviceMemory> failures;
};

}  // namespace

TEST_CASE("no rank passes the barrier before the last one has come") {
  for (const int count : {2, 3, 8, 16}) {
    Ranks ranks(count);
    std::vector<Event> passed;
    Event begin = make_event();
    check_cuda(cudaEventRecord(begin.get(), ranks.streams.back().get()), "cudaEventRecord");
    kernels::launch_delay(3'000'000, ranks.streams.back().get());
    for (int r = 0; r < count; ++r) {
      ranks.enqueue(r, 1);
      passed.push_back(make_event());
      check_cuda(cudaEventRecord(passed.back().get(), ranks.streams[static_cast<std::size_t>(r)].get()),
                 "cudaEventRecord");
    }
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int r = 0; r < count; ++r) {
      float milliseconds = 0;
      check_cuda(cudaEventElapsedTime(&milliseconds, begin.get(), passed[static_cast<std::size_t>(r)].get()),
                 "cudaEventElapsedTime");
      INFO(count << " ranks, rank " << r);
      CHECK(milliseconds >= 2.9f);
      CHECK(ranks.failure(r).place == kernels::WaitPlace::none);
    }
  }
}

TEST_CASE("epochs go on for ever, also past the largest count") {
  Ranks ranks(2);
  for (std::uint32_t epoch = 0xffffff80u; epoch != 0x80u; ++epoch) {
    for (int r = 0; r < 2; ++r) ranks.enqueue(r, epoch);
  }
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  // The flags began at 0, so the first epochs were behind what had been seen; none may have hung.
  CHECK(ranks.failure(0).place == kernels::WaitPlace::none);
  CHECK(ranks.failure(1).place == kernels::WaitPlace::none);
}

TEST_CASE("a rank that never comes is named, and later barriers of that rank leave at once") {
  Ranks ranks(3);
  const auto begin = std::chrono::steady_clock::now();
  ranks.enqueue(0, 1, 30'000'000);
  ranks.enqueue(1, 1, 30'000'000);
  for (std::uint32_t epoch = 2; epoch < 200; ++epoch) ranks.enqueue(0, epoch, 30'000'000);
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  CHECK(std::chrono::steady_clock::now() - begin < 2s);
  for (const int r : {0, 1}) {
    CHECK(ranks.failure(r).place == kernels::WaitPlace::barrier);
    CHECK(ranks.failure(r).peer == 2);
    CHECK(ranks.failure(r).expected == 1);
  }
}

TEST_CASE("a gate holds the barrier until the host opens it, and lets go by itself after its limit") {
  Ranks ranks(1);
  const PinnedMemory gate(sizeof(std::uint32_t));
  const auto enqueue = [&](std::uint32_t epoch, std::uint64_t gate_limit_ns) {
    kernels::launch_device_barrier(ranks.board(0), epoch,
                                   {ranks.failures[0].as<kernels::WaitFailure>(), 1'000'000},
                                   gate.as<std::uint32_t>(), epoch, gate_limit_ns, ranks.streams[0].get());
    check_launch("device_barrier");
  };
  enqueue(1, 5'000'000'000);
  CHECK(cudaStreamQuery(ranks.streams[0].get()) == cudaErrorNotReady);
  *static_cast<volatile std::uint32_t*>(gate.as<std::uint32_t>()) = 1;
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  const auto begin = std::chrono::steady_clock::now();
  enqueue(2, 10'000'000);
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  CHECK(std::chrono::steady_clock::now() - begin >= 9ms);
  CHECK(std::chrono::steady_clock::now() - begin < 2s);
}
