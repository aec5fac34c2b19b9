#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/host/host_memory.hpp"
#include "device/host/peer_flags.hpp"
#include "device/host/spin_wait.hpp"
#include "device/rank_device.hpp"
#include "device/repetitions.hpp"

namespace ringside {

// A rank on CPU cores: its arena is shared memory, calls run in the thread that enqueues them and are
// complete when they return. Eager mode only.
class HostDevice final : public RankDevice {
 public:
  // Bytes of HostMemory that each rank needs for an arena of this size.
  static Bytes memory_needed(int ranks, Bytes arena);

  // `bootstrap` must outlive the device. `crowded`: more ranks than cores. All ranks' devices must stand (an
  // bootstrap barrier) before one is used.
  HostDevice(Bootstrap& bootstrap, std::shared_ptr<const HostMemory> memory, Bytes arena, bool crowded);

  DeviceKind kind() const override { return DeviceKind::host; }
  Bootstrap& bootstrap() const override { return bootstrap_; }
  Arena& arena() override { return arena_; }
  void write(std::byte* arena_target, std::span<const std::byte> source) override;
  void read(std::span<std::byte> target, const std::byte* arena_source) override;
  void fill(std::byte* arena_target, std::byte value, std::size_t bytes) override;
  void enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) override;
  void enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) override;
  void enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) override;
  std::vector<std::uint64_t> take_digests(std::size_t count) override;
  void enqueue_use(const std::byte* data, std::size_t bytes) override;
  void enqueue_delay(std::chrono::nanoseconds delay) override;
  void enqueue_eviction() override;
  using RankDevice::make_workload;
  std::unique_ptr<Workload> make_workload(Mode mode, std::function<void()> calls, Around around) override;
  void run(const std::function<void()>& calls) override { calls(); }
  LinkLimits measure_limits(Bytes message) override;

  // Waits for all ranks, in shared memory. What each wrote before is seen by all behind it. Collective.
  void barrier();

  bool crowded() const { return crowded_; }
  SpinWait spin_wait() const { return SpinWait(crowded_); }

  // Flags in a block of this arena, which the caller has allocated with PeerFlags::kAlignment and
  // PeerFlags::size(): not to be used before an bootstrap barrier.
  PeerFlags make_flags(std::byte* block, int channels) const;

 private:
  Bootstrap& bootstrap_;
  std::shared_ptr<const HostMemory> memory_;
  Arena arena_;
  bool crowded_;
  PeerFlags flags_;  // behind the arena
  std::uint64_t barriers_ = 0;
  std::uint64_t pings_ = 0;
  std::vector<std::uint64_t> digests_;   // as many as were asked for
  Fastest flag_;                         // so far
  std::map<std::size_t, Fastest> sums_;  // so far, by what measure_fresh_sum() takes
};

// This rank's host device in a process of its own; collective. Pins the calling thread to `core`, if given.
std::unique_ptr<RankDevice> make_host_device(Bootstrap& bootstrap, Bytes arena, std::optional<int> core);

// The device as what it is. Throws InternalError when it is no host device.
HostDevice& as_host(RankDevice& device);

}  // namespace ringside
