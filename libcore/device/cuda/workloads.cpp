#include "device/cuda/workloads.hpp"

#include <algorithm>

#include "device/cuda/cuda_error.hpp"

namespace ringside {
namespace {

constexpr int kWarmUpReplays = 2;

// A capture that is ended, whatever happens in it: a stream left capturing fails every later call.
class Capture {
 public:
  explicit Capture(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() {
    if (stream_ == nullptr) return;
    cudaGraph_t abandoned = nullptr;
    if (cudaStreamEndCapture(stream_, &abandoned) == cudaSuccess) {
      static_cast<void>(cudaGraphDestroy(abandoned));
    } else {
      static_cast<void>(cudaGetLastError());
    }
  }

  Graph end() {
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(std::exchange(stream_, nullptr), &graph);
    check_cuda(status, "cudaStreamEndCapture");
    return Graph(graph);
  }

 private:
  cudaStream_t stream_;
};

}  // namespace

void Batches::run(std::span<double> times_ns, bool gated, const std::function<void(std::size_t)>& once,
                  const std::function<void(std::span<double>)>& read) {
  while (!times_ns.empty()) {
    const std::size_t batch = std::min(times_ns.size(), kBatch);
    for (std::size_t i = 0; i < batch; ++i) {
      if (around_.before) around_.before();
      device_.start_barrier().enqueue_barrier(device_.stream(), gated && i == 0);
      once(i);
      if (around_.after) around_.after();
    }
    if (gated) device_.start_barrier().open_gate();
    device_.finish();
    read(times_ns.first(batch));
    times_ns = times_ns.subspan(batch);
  }
}

GraphWorkload::GraphWorkload(CudaDevice& device, const std::function<void()>& calls, Around around)
    : device_(device), batches_(device, std::move(around)) {
  Capture capture(device.stream());
  device.start_barrier().enqueue_stamp(device.stream());
  calls();
  device.start_barrier().enqueue_stamp(device.stream());
  graph_ = capture.end();
  executable_ = make_executable(graph_.get());
  check_cuda(cudaGraphUpload(executable_.get(), device.stream()), "cudaGraphUpload");
  for (int i = 0; i < kWarmUpReplays; ++i) replay();
  device.finish();
}

void GraphWorkload::replay() {
  check_cuda(cudaGraphLaunch(executable_.get(), device_.stream()), "cudaGraphLaunch");
}

void GraphWorkload::repeat(std::span<double> times_ns) {
  static_assert(2 * Batches::kBatch <= kernels::kMaxStamps);
  const auto once = [this](std::size_t i) {
    if (i == 0) device_.start_barrier().clear_stamps(device_.stream());
    replay();
  };
  batches_.run(times_ns, true, once, [this](std::span<double> batch) {
    const std::span<const std::uint64_t> stamps = device_.start_barrier().stamps_ns();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i] = static_cast<double>(stamps[2 * i + 1] - stamps[2 * i]);
    }
  });
}

void EagerWorkload::repeat(std::span<double> times_ns) {
  stamps_.resize(std::max(stamps_.size(), std::min(times_ns.size(), Batches::kBatch)));
  const auto once = [this](std::size_t i) {
    check_cuda(cudaEventRecord(stamps_[i].start.get(), device_.stream()), "cudaEventRecord");
    calls_();
    check_cuda(cudaEventRecord(stamps_[i].stop.get(), device_.stream()), "cudaEventRecord");
  };
  batches_.run(times_ns, false, once, [this](std::span<double> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      float milliseconds = 0;
      check_cuda(cudaEventElapsedTime(&milliseconds, stamps_[i].start.get(), stamps_[i].stop.get()),
                 "cudaEventElapsedTime");
      batch[i] = static_cast<double>(milliseconds) * 1e6;
    }
  });
}

}  // namespace ringside
