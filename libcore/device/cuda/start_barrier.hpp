#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "device/cuda/handles.hpp"
#include "device/cuda/host_flags.hpp"
#include "kernels/device_barrier.hpp"
#include "kernels/stamp.hpp"

namespace ringside {

inline constexpr int kProbePlaces = 32;

// What every rank keeps at the head of its shared memory, before the arena. Zeroed when the group starts.
struct ControlPage {
  // Written by this rank's kernels, read by its host.
  struct Report {
    kernels::WaitFailure failure;
    kernels::StampLog stamps;
  } report;
  kernels::Flag barrier[kernels::kMaxRanks];  // written by the others
  // A flag lies in one slice of a GPU's second-level cache, near its reader or far from it: probes look at
  // many.
  struct Place {
    kernels::Flag flags[kernels::kMaxRanks];
    std::byte gap[4096 - sizeof flags + sizeof(kernels::Flag)];
  } probes[kProbePlaces];
};
inline constexpr std::size_t kControlBytes = 256 * 1024;
static_assert(sizeof(ControlPage) <= kControlBytes);

// How ranks meet on the device: the barrier before each repetition, and the limit of every wait.
class StartBarrier {
 public:
  // `bases`: the ranks' shared memory as this GPU reaches it, a ControlPage at the head of each. Where one is
  // out of reach on any rank, all use flags in host memory. Collective.
  StartBarrier(Bootstrap& bootstrap, const std::vector<std::byte*>& bases,
               std::chrono::nanoseconds wait_limit);

  // Enqueues the barrier. With `gated` it also waits until open_gate() is called, so that what is enqueued
  // behind it can be in the queue before the first rank goes on. All ranks make the same calls in the same
  // order.
  void enqueue_barrier(cudaStream_t stream, bool gated = false);
  void open_gate();

  kernels::WaitGuard guard() const { return guard_; }
  // Flags for a probe: this rank's own and the others', each at one of kProbePlaces places.
  kernels::FlagBoard probe_board(int own_place, int peer_place) const;
  // False where the flags are in host memory, and all of them at one place.
  bool flags_on_gpus() const { return host_probe_ == nullptr; }

  // Enqueues a time stamp; clear_stamps() what forgets all. Not more than kernels::kMaxStamps between two of
  // these.
  void enqueue_stamp(cudaStream_t stream);
  void clear_stamps(cudaStream_t stream);

  // Enqueues a copy of what kernels report, for the two below once the stream has been waited for.
  void enqueue_report_copy(cudaStream_t stream);
  // In the order in which they were taken.
  std::span<const std::uint64_t> stamps_ns() const;
  // Throws TimeoutError that names who waited for whom, if a kernel has given up.
  void throw_on_failure() const;

 private:
  ControlPage::Report& own_report() const;  // on the GPU

  std::unique_ptr<HostFlags> host_flags_;
  kernels::FlagBoard barrier_;
  std::vector<std::byte*> bases_;
  kernels::Flag* host_probe_ = nullptr;  // kMaxRanks flags of each rank, where they are in host memory
  kernels::WaitGuard guard_;
  std::uint32_t epoch_ = 0;
  std::uint32_t gate_ = 0;
  PinnedMemory gate_counter_{sizeof(std::uint32_t)};
  PinnedMemory report_{sizeof(ControlPage::Report)};
};

}  // namespace ringside
