#include "support/thread_ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "base/errors.hpp"

namespace ringside {
namespace {

// Where the threads meet: each round takes one contribution from every rank and hands all of them to each.
class Hub {
 public:
  explicit Hub(int ranks) : slots_(static_cast<std::size_t>(ranks)) {}

  template <typename Copy>
  void meet(int rank, std::string bytes, int fd, Copy copy) {
    std::unique_lock lock(mutex_);
    slots_[static_cast<std::size_t>(rank)] = {std::move(bytes), fd};
    pass(lock);
    for (const Slot& slot : slots_) copy(slot.bytes, slot.fd);
    pass(lock);
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    turn_.notify_all();
  }

  std::exception_ptr error() const { return error_; }

 private:
  struct Slot {
    std::string bytes;
    int fd = -1;
  };

  void pass(std::unique_lock<std::mutex>& lock) {
    const int round = round_;
    if (++arrived_ == static_cast<int>(slots_.size())) {
      arrived_ = 0;
      ++round_;
      turn_.notify_all();
    }
    turn_.wait(lock, [&] { return round_ != round || error_; });
    if (round_ == round) throw InternalError("another rank has ended");
  }

  std::mutex mutex_;
  std::condition_variable turn_;
  std::vector<Slot> slots_;
  int arrived_ = 0;
  int round_ = 0;
  std::exception_ptr error_;
};

class ThreadExchange final : public Exchange {
 public:
  ThreadExchange(Hub& hub, int rank, int ranks) : hub_(hub), rank_(rank), ranks_(ranks) {}
  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  std::vector<std::string> all_gather(std::string_view mine) override {
    std::vector<std::string> all;
    hub_.meet(rank_, std::string(mine), -1, [&](const std::string& bytes, int) { all.push_back(bytes); });
    return all;
  }

  std::vector<UniqueFd> all_gather_fd(int mine) override {
    std::vector<UniqueFd> all;
    hub_.meet(rank_, {}, mine,
              [&](const std::string&, int fd) { all.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); });
    return all;
  }

 private:
  Hub& hub_;
  int rank_;
  int ranks_;
};

}  // namespace

void run_thread_ranks(int ranks, const std::function<void(Exchange&)>& rank) {
  Hub hub(ranks);
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      try {
        ThreadExchange exchange(hub, r, ranks);
        rank(exchange);
      } catch (...) {
        hub.fail(std::current_exception());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (hub.error()) std::rethrow_exception(hub.error());
}

}  // namespace ringside
