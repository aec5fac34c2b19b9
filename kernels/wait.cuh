#pragma once

#include <cuda/atomic>

#include "kernels/wait.hpp"

namespace ringside::kernels {

// Flags are counters that only grow, modulo 2^32: a count has come when it is not behind the one that is
// waited for.
__device__ inline bool reached(std::uint32_t seen, std::uint32_t expected) {
  return static_cast<std::int32_t>(seen - expected) >= 0;
}

template <cuda::memory_order Order = cuda::memory_order_release>
__device__ void publish(std::uint32_t* flag, std::uint32_t value) {
  cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system>(*flag).store(value, Order);
}

template <cuda::memory_order Order = cuda::memory_order_acquire>
__device__ std::uint32_t observe(std::uint32_t* flag) {
  return cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system>(*flag).load(Order);
}

__device__ inline std::uint64_t global_timer_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// True once `ready` says so; false when it has not for `limit_ns`. The clock is read every 1024 polls only,
// so that it costs a short wait nothing.
template <typename Ready>
__device__ bool poll_until(Ready ready, std::uint64_t limit_ns) {
  std::uint64_t start = 0;
  for (std::uint32_t polls = 1; !ready(); ++polls) {
    if (polls % 1024 != 0) continue;
    const std::uint64_t now = global_timer_ns();
    if (start == 0) start = now;
    if (now - start > limit_ns) return false;
  }
  return true;
}

__device__ inline bool has_failed(const WaitGuard& guard) {
  return *reinterpret_cast<const volatile std::uint32_t*>(&guard.failure->place) != 0;
}

// As above; gives up early when another wait of this rank has failed already.
template <typename Ready>
__device__ bool poll_until(Ready ready, const WaitGuard& guard) {
  std::uint64_t start = 0;
  for (std::uint32_t polls = 1; !ready(); ++polls) {
    if (polls % 1024 != 0) continue;
    const std::uint64_t now = global_timer_ns();
    if (start == 0) start = now;
    if (now - start > guard.limit_ns || has_failed(guard)) return false;
  }
  return true;
}

// Leaves a record of a wait that was given up. The first one wins.
__device__ inline void record_failure(const WaitGuard& guard, int peer, WaitPlace place,
                                      std::uint32_t expected, std::uint32_t seen) {
  auto* mark = reinterpret_cast<std::uint32_t*>(&guard.failure->place);
  if (atomicCAS(mark, 0u, static_cast<std::uint32_t>(place)) == 0u) {
    guard.failure->peer = peer;
    guard.failure->expected = expected;
    guard.failure->seen = seen;
    guard.failure->block = blockIdx.x;
  }
}

// Waits until `flag`, which `peer` writes, has reached `expected`; with an acquire, everything that the peer
// wrote before it published the count is visible then. False when the wait was given up, also because another
// one of this rank was: the reason is in the guard's record, the first one wins.
template <cuda::memory_order Order = cuda::memory_order_acquire>
__device__ bool wait_for(std::uint32_t* flag, std::uint32_t expected, int peer, WaitPlace place,
                         const WaitGuard& guard) {
  std::uint32_t seen = 0;
  const auto come = [&] { return reached(seen = observe<Order>(flag), expected); };
  if (poll_until(come, guard)) return true;
  record_failure(guard, peer, place, expected, seen);
  return false;
}

}  // namespace ringside::kernels
