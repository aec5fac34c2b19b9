#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/cuda/handles.hpp"
#include "device/cuda/host_flags.hpp"
#include "device/exchange.hpp"
#include "kernels/device_barrier.hpp"

namespace ringside {

// What every rank keeps at the head of its shared memory, before the arena. Zeroed when the group starts.
struct ControlPage {
  kernels::WaitFailure failure;               // written by this rank's kernels
  kernels::Flag barrier[kernels::kMaxRanks];  // written by the others
  kernels::Flag probe[kernels::kMaxRanks];
};
inline constexpr std::size_t kControlBytes = 64 * 1024;
static_assert(sizeof(ControlPage) <= kControlBytes);

// How ranks meet on the device: the barrier before each repetition, and the limit of every wait.
class Meeting {
 public:
  // `bases`: the ranks' shared memory as this GPU reaches it, a ControlPage at the head of each. Where one is
  // out of reach on any rank, all use flags in host memory. Collective.
  Meeting(Exchange& exchange, const std::vector<std::byte*>& bases, std::chrono::nanoseconds wait_limit);

  // Enqueues the barrier. With `gated` it also waits until open_gate() is called, so that what is enqueued
  // behind it can be in the queue before the first rank goes on. All ranks make the same calls in the same
  // order.
  void enqueue_barrier(cudaStream_t stream, bool gated = false);
  void open_gate();

  kernels::WaitGuard guard() const { return guard_; }
  const kernels::FlagBoard& probe_board() const { return probe_; }

  // Enqueues a copy of the failure record, for throw_on_failure() once the stream has been waited for.
  void enqueue_failure_copy(cudaStream_t stream);
  // Throws TimeoutError that names who waited for whom, if a kernel has given up.
  void throw_on_failure() const;

 private:
  int rank_;
  std::unique_ptr<HostFlags> host_flags_;
  kernels::FlagBoard barrier_;
  kernels::FlagBoard probe_;
  kernels::WaitGuard guard_;
  std::uint32_t epoch_ = 0;
  std::uint32_t gate_ = 0;
  PinnedMemory gate_counter_{sizeof(std::uint32_t)};
  PinnedMemory failure_{sizeof(kernels::WaitFailure)};
};

}  // namespace ringside
