#include "worker/turn_watch.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

// The core that this thread runs on alone from here on; its affinity comes back at the end.
class OneCore {
 public:
  OneCore() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    CPU_ZERO(&one_);
    CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one_);
    ::sched_setaffinity(0, sizeof one_, &one_);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
  cpu_set_t one_{};
};

void spin_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace

TEST_CASE("a turn knows how long it was, and a measure of the clock where it is asked for") {
  TurnWatch watch(true);
  watch.begin();
  spin_for(5ms);
  const TurnConditions turn = watch.end();
  CHECK(turn.wall_ns >= 5e6);
  REQUIRE(turn.spin_ns);
  CHECK(*turn.spin_ns > 0);
  TurnWatch plain(false);
  plain.begin();
  CHECK_FALSE(plain.end().spin_ns);
}

TEST_CASE("a turn knows how long a thread waited for a core that another one had") {
  const OneCore pinned;
  std::atomic<bool> done{false};
  std::thread other([&] {  // on the same core: a thread inherits the affinity
    while (!done) {
    }
  });
  TurnWatch watch(false);
  watch.begin();
  spin_for(200ms);
  const TurnConditions turn = watch.end();
  done = true;
  other.join();
  if (!turn.waited_ns) return;  // this kernel does not tell
  CHECK(*turn.waited_ns > 0.2 * turn.wall_ns);
  CHECK(*turn.cpu_ns < 0.8 * turn.wall_ns);
}
