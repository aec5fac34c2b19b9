#pragma once

#include <functional>
#include <vector>

#include "device/cuda/cuda_device.hpp"

namespace ringside {

// Runs repetitions in batches: what enqueues them, and the barrier before each.
class Batches {
 public:
  // Repetitions enqueued at once. They fit into a stream's queue, with room to spare, so that enqueueing a
  // batch does not wait for the GPU.
  static constexpr std::size_t kBatch = 32;

  Batches(CudaDevice& device, Around around) : device_(device), around_(std::move(around)) {}

  // For each element: barrier, then `once`, which enqueues repetition i of its batch. Behind each batch
  // `read` stores the batch's times. With `gated` no GPU begins before its rank has enqueued the whole batch:
  // no repetition waits for the host.
  void run(std::span<double> times_ns, bool gated, const std::function<void(std::size_t i)>& once,
           const std::function<void(std::span<double>)>& read);

 private:
  CudaDevice& device_;
  Around around_;
};

// One graph of the calls, replayed. Its first and its last node take the time: to start a graph takes as long
// as a few calls, and is no part of them.
class GraphWorkload final : public Workload {
 public:
  // Captures `calls`, uploads the graph and replays it twice to warm it up.
  GraphWorkload(CudaDevice& device, const std::function<void()>& calls, Around around);
  void repeat(std::span<double> times_ns) override;

 private:
  void replay();

  CudaDevice& device_;
  Batches batches_;
  Graph graph_;
  GraphExec executable_;
};

// The calls launched one by one: their launches are part of the time, as they are in a server without graphs.
class EagerWorkload final : public Workload {
 public:
  EagerWorkload(CudaDevice& device, std::function<void()> calls, Around around)
      : device_(device), batches_(device, std::move(around)), calls_(std::move(calls)) {}
  void repeat(std::span<double> times_ns) override;

 private:
  struct Stamps {
    Event start = make_event();
    Event stop = make_event();
  };

  CudaDevice& device_;
  Batches batches_;
  std::function<void()> calls_;
  std::vector<Stamps> stamps_;
};

}  // namespace ringside
