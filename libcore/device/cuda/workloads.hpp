#pragma once

#include <functional>
#include <vector>

#include "device/cuda/cuda_device.hpp"

namespace ringside {

// The events of a batch of repetitions, and how a batch is run and read.
class TimedRepetitions {
 public:
  // Repetitions enqueued at once. They fit into a stream's queue, with room to spare, so that enqueueing a
  // batch does not wait for the GPU.
  static constexpr std::size_t kBatch = 32;

  // `before`, if there is one, enqueues what comes ahead of each repetition's barrier.
  TimedRepetitions(CudaDevice& device, std::function<void()> before)
      : device_(device), before_(std::move(before)) {}

  // For each element: barrier, time stamp, `once` (which enqueues one repetition), time stamp. With `gated`
  // no GPU begins before its rank has enqueued the whole batch: no repetition waits for the host between its
  // time stamps.
  void measure(std::span<double> times_ns, bool gated, const std::function<void()>& once);

 private:
  struct Stamps {
    Event start = make_event();
    Event stop = make_event();
  };

  CudaDevice& device_;
  std::function<void()> before_;
  std::vector<Stamps> stamps_;
};

// One graph of the calls, replayed.
class GraphWorkload final : public Workload {
 public:
  // Captures `calls`, uploads the graph and replays it twice to warm it up.
  GraphWorkload(CudaDevice& device, const std::function<void()>& calls, std::function<void()> before);
  void repeat(std::span<double> times_ns) override;

 private:
  CudaDevice& device_;
  TimedRepetitions repetitions_;
  Graph graph_;
  GraphExec executable_;
};

// The calls launched one by one: their launches are part of the time, as they are in a server without graphs.
class EagerWorkload final : public Workload {
 public:
  EagerWorkload(CudaDevice& device, std::function<void()> calls, std::function<void()> before)
      : repetitions_(device, std::move(before)), calls_(std::move(calls)) {}
  void repeat(std::span<double> times_ns) override { repetitions_.measure(times_ns, false, calls_); }

 private:
  TimedRepetitions repetitions_;
  std::function<void()> calls_;
};

}  // namespace ringside
