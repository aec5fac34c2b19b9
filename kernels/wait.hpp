#pragma once

#include <cstdint>

namespace ringside::kernels {

inline constexpr int kMaxRanks = 16;

// Where a kernel waits for another rank.
enum class WaitPlace : std::uint32_t { none, barrier, ping_pong, pull_start, pull_end, lsa, packet, gather };

// The first wait that was given up, for the host to read. It lies in the memory of the rank that waited. Once
// `place` is set, later kernels of that rank don't wait for long, so that a queue of them drains.
struct WaitFailure {
  WaitPlace place = WaitPlace::none;
  std::int32_t peer = -1;      // for whom
  std::uint32_t expected = 0;  // the count that did not come
  std::uint32_t seen = 0;      // the last one that did
  std::uint32_t block = 0;
};

// What bounds every wait of a kernel.
struct WaitGuard {
  WaitFailure* failure = nullptr;
  std::uint64_t limit_ns = 0;
};

}  // namespace ringside::kernels
