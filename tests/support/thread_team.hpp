#pragma once

#include <fcntl.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "device/host/host_device.hpp"
#include "machine/resources.hpp"

namespace ringside {

// Where ranks that are threads meet: a round of all_gather at a time. When one of them has failed, the
// others' calls throw instead of waiting for it.
class ThreadBarrier {
 public:
  explicit ThreadBarrier(int ranks) : slots_(static_cast<std::size_t>(ranks)) {}

  std::vector<std::string> all_gather(int rank, std::string_view mine) {
    std::unique_lock lock(mutex_);
    slots_[static_cast<std::size_t>(rank)] = mine;
    const std::size_t round = round_;
    if (++arrived_ == slots_.size()) {
      gathered_ = slots_;
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || failed_; });
    if (round_ == round) throw std::runtime_error("another rank has failed");
    return gathered_;  // not replaced before this rank takes part in the next round
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> slots_;
  std::vector<std::string> gathered_;
  std::size_t arrived_ = 0;
  std::size_t round_ = 0;
  bool failed_ = false;
};

class ThreadBootstrap final : public Bootstrap, public PeerMemory {
 public:
  ThreadBootstrap(ThreadBarrier& start_barrier, int rank, int ranks)
      : start_barrier_(start_barrier), rank_(rank), ranks_(ranks) {}

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  std::vector<std::string> all_gather(std::string_view mine) override {
    return start_barrier_.all_gather(rank_, mine);
  }
  PeerMemory& peer_memory() override { return *this; }
  std::vector<UniqueFd> all_gather_fd(int mine) override {
    std::vector<UniqueFd> all;
    for (const std::string& fd : all_gather(std::to_string(mine))) {
      all.emplace_back(::fcntl(std::stoi(fd), F_DUPFD_CLOEXEC, 0));
    }
    barrier();  // nobody closes a descriptor that another has yet to duplicate
    return all;
  }

 private:
  ThreadBarrier& start_barrier_;
  int rank_;
  int ranks_;
};

// Runs `work` as so many ranks, each on a thread, and throws the first thing that one of them threw.
inline void run_on_threads(int ranks, const std::function<void(Bootstrap&)>& work) {
  ThreadBarrier start_barrier(ranks);
  std::exception_ptr first_error;
  std::mutex error_mutex;
  const auto run_rank = [&](int rank) {
    try {
      ThreadBootstrap bootstrap(start_barrier, rank, ranks);
      work(bootstrap);
    } catch (...) {
      {
        const std::lock_guard lock(error_mutex);
        if (!first_error) first_error = std::current_exception();
      }
      start_barrier.fail();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(run_rank, rank);
  for (std::thread& thread : threads) thread.join();
  if (first_error) std::rethrow_exception(first_error);
}

// The host device with ranks as threads, where ThreadSanitizer sees all that they do. `work` runs on every
// rank; it must not use the assertions of the test framework, which belong to the main thread.
inline void run_host_ranks(int ranks, Bytes arena, const std::function<void(HostDevice&)>& work) {
  const auto memory = HostMemory::in_one_process(ranks, HostDevice::memory_needed(ranks, arena));
  const bool crowded = ranks > usable_cores();
  run_on_threads(ranks, [&](Bootstrap& bootstrap) {
    HostDevice device(bootstrap, memory, arena, crowded);
    bootstrap.barrier();
    work(device);
    bootstrap.barrier();
  });
}

}  // namespace ringside
