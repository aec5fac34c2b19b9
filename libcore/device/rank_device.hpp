#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "bootstrap/bootstrap.hpp"
#include "device/arena.hpp"
#include "model/case.hpp"

namespace ringside {

// Calls made ready to be timed: a graph of them, or a list launched one by one.
class Workload {
 public:
  virtual ~Workload() = default;
  // Runs the calls once per element of `times_ns` and stores what each repetition took on this rank. Every
  // repetition starts behind a barrier of all ranks on the device, before the first time stamp. Collective.
  virtual void repeat(std::span<double> times_ns) = 0;
};

// What is enqueued around each repetition of a workload and is no part of its time.
struct Around {
  std::function<void()> before;  // ahead of the barrier
  std::function<void()> after;
};

// What the link between ranks can do at best, measured on this device. What was not measured is null.
struct LinkLimits {
  std::optional<double> one_way_latency_ns = {};  // a flag from one rank to another, at the fastest place
  std::optional<double> node_gap_ns = {};         // between two empty nodes of a graph
  // Of one direction of a rank while all pairs talk, at the message size asked for: `cuda` stores or loads;
  // on `host` fresh data are summed, and what a two-shot allreduce sends is counted (2(n-1)/n of the
  // message).
  std::optional<double> bandwidth_gbps = {};
  double scatter = 0;  // of latency or bandwidth, the larger one: how far repeated measurements are apart
  std::string missing = {};  // why latency or bandwidth is null
};

// One rank's device: its memory, its place among the ranks, its way to run and time work.
class RankDevice {
 public:
  virtual ~RankDevice() = default;
  virtual DeviceKind kind() const = 0;
  int rank() const { return bootstrap().rank(); }
  int ranks() const { return bootstrap().ranks(); }
  virtual Bootstrap& bootstrap() const = 0;
  // CPU threads that this rank may keep busy while nothing is timed, its own one among them.
  virtual int helper_threads() const { return 1; }
  virtual Arena& arena() = 0;

  // Copies between ordinary memory and this rank's arena; done when they return.
  virtual void write(std::byte* arena_target, std::span<const std::byte> source) = 0;
  virtual void read(std::span<std::byte> target, const std::byte* arena_source) = 0;

  // Ordinary memory of `bytes` from which write() and into which read() are fastest; whatever it held before.
  // There is one: it is valid until the next call.
  virtual std::span<std::byte> staging(std::size_t bytes) {
    if (staging_.size() < bytes) {
      staging_ = {};  // not both at once
      staging_.resize(bytes);
    }
    return std::span(staging_).first(bytes);
  }

  // Sets every byte of a block in this rank's arena; done when it returns.
  virtual void fill(std::byte* arena_target, std::byte value, std::size_t bytes) {
    write(arena_target, std::vector<std::byte>(bytes, value));
  }

  // Copies inside this rank's arena, ordered with enqueued calls (a part of a workload).
  virtual void enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) = 0;

  // The same as a producer does it: the last bytes are written late, and on a GPU the kernel behind it may be
  // set up before they are (programmatic dependent launch). Both blocks lie on a border of 16 bytes.
  virtual void enqueue_feed(std::byte* target, const std::byte* source, std::size_t bytes) {
    enqueue_copy(target, source, bytes);
  }

  // Sets every byte of a block in this rank's arena, ordered with enqueued calls.
  virtual void enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) = 0;

  // Enqueues a consumer that adds the hash_bytes() of a block in this rank's arena to a digest: `slot` is
  // below kMostDigests. Digests begin at 0.
  virtual void enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) = 0;
  static constexpr std::size_t kMostDigests = 10240;
  // The first `count` digests, when all that was enqueued is done. All begin at 0 again.
  virtual std::vector<std::uint64_t> take_digests(std::size_t count) = 0;

  // Enqueues a consumer that reads a block and keeps nothing. Throws UnavailableError where the device has
  // none.
  virtual void enqueue_use(const std::byte* data, std::size_t bytes) = 0;

  // Enqueues idleness: what is enqueued behind it begins so much later.
  virtual void enqueue_delay(std::chrono::nanoseconds delay) = 0;

  // Enqueues traffic that pushes this rank's buffers out of its device's caches. Throws UnavailableError
  // where the device can't.
  virtual void enqueue_eviction() = 0;

  // Makes `calls` (which enqueues them) ready for the mode. The closure may be run now (graph capture) or at
  // each repetition (eager). The closures of `around` are run at each repetition. Collective.
  virtual std::unique_ptr<Workload> make_workload(Mode mode, std::function<void()> calls, Around around) = 0;
  std::unique_ptr<Workload> make_workload(Mode mode, std::function<void()> calls) {
    return make_workload(mode, std::move(calls), {});
  }

  // Runs `calls` once and waits for it. Collective.
  virtual void run(const std::function<void()>& calls) = 0;

  // For a profiler that waits for cudaProfilerStart(); where there is none, nothing.
  virtual void start_profiler() {}
  virtual void stop_profiler() {}

  // The same on all ranks. Takes what count_limits() counts from the arena for a while. Collective.
  virtual LinkLimits measure_limits(Bytes message) = 0;

 private:
  std::vector<std::byte> staging_;
};

}  // namespace ringside
