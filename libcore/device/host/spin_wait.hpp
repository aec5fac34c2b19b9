#pragma once

#include <thread>

namespace ringside {

// Waiting for another rank: poll for a while, because the answer is mostly some hundred nanoseconds away,
// then give the core away between polls, because the other rank may need it to answer at all. There is no
// limit here: the coordinator ends ranks that wait too long.
class SpinWait {
 public:
  // `crowded`: there are more ranks than cores, so the peer is probably not running and polling only delays
  // it.
  explicit SpinWait(bool crowded) : first_polls_(crowded ? kCrowdedPolls : kPolls) {}

  template <typename Ready>
  void until(Ready ready) const {
    for (int polls = first_polls_;; polls = kCrowdedPolls) {
      for (int poll = 0; poll < polls; ++poll) {
        if (ready()) return;
        pause();
      }
      std::this_thread::yield();
    }
  }

 private:
  static constexpr int kPolls = 4096;  // 50 to 200 us
  static constexpr int kCrowdedPolls = 32;

  // Also faster for the one who waits: without it the core runs polls ahead on an old value of the flag and
  // has to take them back when the new one arrives.
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  int first_polls_;
};

}  // namespace ringside
