#include "device/host/host_device.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/hash_bytes.hpp"
#include "device/host/link_limits.hpp"
#include "device/host/reduction.hpp"
#include "machine/resources.hpp"

namespace ringside {
namespace {

constexpr int kBarrierChannel = 0;
constexpr int kPingChannel = 1;  // and what follows
constexpr int kChannels = kPingChannel + kPingPlaces;

std::size_t flags_offset(Bytes arena) {
  return (arena.count + PeerFlags::kAlignment - 1) / PeerFlags::kAlignment * PeerFlags::kAlignment;
}

std::vector<std::byte*> offset_by(std::vector<std::byte*> bases, std::size_t offset) {
  for (std::byte*& base : bases) base += offset;
  return bases;
}

class EagerWorkload final : public Workload {
 public:
  EagerWorkload(HostDevice& device, std::function<void()> calls, Around around)
      : device_(device), calls_(std::move(calls)), around_(std::move(around)) {}

  void repeat(std::span<double> times_ns) override {
    using Clock = std::chrono::steady_clock;
    for (double& time_ns : times_ns) {
      if (around_.before) around_.before();
      device_.barrier();
      const Clock::time_point start = Clock::now();
      calls_();
      time_ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
      if (around_.after) around_.after();
    }
  }

 private:
  HostDevice& device_;
  std::function<void()> calls_;
  Around around_;
};

void pin_this_thread(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(core), &cores);
  if (::sched_setaffinity(0, sizeof cores, &cores) != 0) {
    throw SystemError("pinning a rank to core " + std::to_string(core), errno);
  }
}

}  // namespace

Bytes HostDevice::memory_needed(int ranks, Bytes arena) {
  return {flags_offset(arena) + PeerFlags::size(ranks, kChannels).count};
}

HostDevice::HostDevice(Bootstrap& bootstrap, std::shared_ptr<const HostMemory> memory, Bytes arena,
                       bool crowded)
    : bootstrap_(bootstrap),
      memory_(std::move(memory)),
      arena_(bootstrap.rank(), memory_->bases(), arena),
      crowded_(crowded),
      flags_(bootstrap.rank(), offset_by(memory_->bases(), flags_offset(arena)), kChannels, spin_wait()) {}

void HostDevice::write(std::byte* arena_target, std::span<const std::byte> source) {
  if (!source.empty()) std::memcpy(arena_target, source.data(), source.size());
}

void HostDevice::read(std::span<std::byte> target, const std::byte* arena_source) {
  if (!target.empty()) std::memcpy(target.data(), arena_source, target.size());
}

void HostDevice::fill(std::byte* arena_target, std::byte value, std::size_t bytes) {
  std::memset(arena_target, std::to_integer<int>(value), bytes);
}

void HostDevice::enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}

void HostDevice::enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) {
  fill(target, value, bytes);
}

void HostDevice::enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) {
  digests_.resize(std::max(digests_.size(), slot + 1));
  digests_[slot] += hash_bytes({data, bytes});
}

std::vector<std::uint64_t> HostDevice::take_digests(std::size_t count) {
  std::vector<std::uint64_t> taken = std::exchange(digests_, {});
  taken.resize(count);
  return taken;
}

void HostDevice::enqueue_use(const std::byte* data, std::size_t bytes) {
  const volatile std::uint64_t kept = read_through(data, bytes);
  static_cast<void>(kept);
}

// A sleep of some microseconds would be late by as much again.
void HostDevice::enqueue_delay(std::chrono::nanoseconds delay) {
  const auto end = std::chrono::steady_clock::now() + delay;
  while (std::chrono::steady_clock::now() < end) {
  }
}

void HostDevice::enqueue_eviction() {
  throw UnavailableError("on a host the ranks share caches that none of them can empty");
}

std::unique_ptr<Workload> HostDevice::make_workload(Mode mode, std::function<void()> calls, Around around) {
  if (mode == Mode::graph) throw UsageError("the host device has no graphs; use --mode eager");
  return std::make_unique<EagerWorkload>(*this, std::move(calls), std::move(around));
}

LinkLimits HostDevice::measure_limits(Bytes message) {
  LinkLimits limits;
  if (ranks() < 2) {
    limits.missing = "one rank has no link";
    return limits;
  }
  // Other programs on these cores make it slower, never faster: of all calls the best counts.
  Fastest& sum = sums_[sum_bytes(message)];
  flag_ = faster(flag_, measure_latency(*this, flags_, kPingChannel, pings_));
  sum = faster(sum, measure_fresh_sum(*this, message));
  limits.one_way_latency_ns = flag_.time_ns;
  limits.bandwidth_gbps = 1 / sum.time_ns;
  limits.scatter = std::max(flag_.scatter, sum.scatter);
  return limits;
}

void HostDevice::barrier() {
  ++barriers_;
  flags_.post_all(kBarrierChannel, barriers_);
  flags_.wait_all(kBarrierChannel, barriers_);
}

PeerFlags HostDevice::make_flags(std::byte* block, int channels) const {
  std::vector<std::byte*> blocks;
  for (int rank = 0; rank < ranks(); ++rank) blocks.push_back(arena_.on_rank(rank, block));
  return PeerFlags(rank(), std::move(blocks), channels, spin_wait());
}

std::unique_ptr<RankDevice> make_host_device(Bootstrap& bootstrap, Bytes arena, std::optional<int> core) {
  const bool crowded = !core && bootstrap.ranks() > usable_cores();
  if (core) pin_this_thread(*core);
  auto memory = HostMemory::share(bootstrap, HostDevice::memory_needed(bootstrap.ranks(), arena));
  auto device = std::make_unique<HostDevice>(bootstrap, std::move(memory), arena, crowded);
  bootstrap.barrier();
  return device;
}

HostDevice& as_host(RankDevice& device) {
  if (auto* const host = dynamic_cast<HostDevice*>(&device)) return *host;
  throw InternalError("a strategy of the host device was given another device");
}

}  // namespace ringside
