#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "device/host/spin_wait.hpp"

namespace ringside {

// How ranks tell each other in shared memory how far they are: counters that only grow, so they need no
// reset. The counter (channel, sender) in a rank's block is written by that sender alone and read by the
// block's owner alone.
//
// Memory order: post() releases, wait() acquires. What the sender wrote before the post, the waiter sees
// after the wait; what the sender read before it, the waiter may overwrite.
class PeerFlags {
 public:
  static constexpr std::size_t kAlignment = 128;

  // What one rank's block takes.
  static Bytes size(int ranks, int channels);

  // `blocks[r]`: rank r's block, aligned to kAlignment, as mapped here. Zeroes this rank's own; all ranks
  // must have done so (an bootstrap barrier) before the first post. The memory must outlive the flags.
  PeerFlags(int rank, std::vector<std::byte*> blocks, int channels, SpinWait wait);

  void post(int channel, int peer, std::uint64_t value) const {
    counter(peer, channel, rank_).store(value, std::memory_order_release);
  }

  // Until `peer` has posted at least `value` to this rank.
  void wait(int channel, int peer, std::uint64_t value) const {
    const std::atomic<std::uint64_t>& theirs = counter(rank_, channel, peer);
    wait_.until([&] { return theirs.load(std::memory_order_acquire) >= value; });
  }

  void post_all(int channel, std::uint64_t value) const {
    for (int peer = 0; peer < ranks(); ++peer) {
      if (peer != rank_) post(channel, peer, value);
    }
  }

  void wait_all(int channel, std::uint64_t value) const {
    for (int peer = 0; peer < ranks(); ++peer) {
      if (peer != rank_) wait(channel, peer, value);
    }
  }

 private:
  // Two cache lines, as the hardware prefetches lines in pairs.
  struct alignas(kAlignment) Line {
    std::atomic<std::uint64_t> value{0};
  };

  int ranks() const { return static_cast<int>(blocks_.size()); }
  std::atomic<std::uint64_t>& counter(int owner, int channel, int sender) const {
    return blocks_[static_cast<std::size_t>(owner)][channel * ranks() + sender].value;
  }

  int rank_;
  std::vector<Line*> blocks_;
  SpinWait wait_;
};

}  // namespace ringside
