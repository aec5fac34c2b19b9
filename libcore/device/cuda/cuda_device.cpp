#include "device/cuda/cuda_device.hpp"

#include <cuda_profiler_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "base/errors.hpp"
#include "base/nvtx_listener.hpp"
#include "device/cuda/cuda_error.hpp"
#include "device/cuda/device_lost.hpp"
#include "device/cuda/gpu_names.hpp"
#include "device/cuda/link_probe.hpp"
#include "device/cuda/nccl_environment.hpp"
#include "device/cuda/stream_name.hpp"
#include "device/cuda/workloads.hpp"
#include "kernels/delay.hpp"
#include "kernels/digest.hpp"
#include "kernels/feed.hpp"
#include "machine/resources.hpp"

namespace ringside {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kWatchEvery = 5ms;

int count_multiprocessors(int device) {
  int count = 0;
  check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  return count;
}

bool native_atomics_to_all(const std::vector<int>& devices, int from) {
  return std::ranges::all_of(devices, [from](int to) {
    int native = from == to ? 1 : 0;
    if (from != to) {
      check_cuda(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, from, to),
                 "cudaDeviceGetP2PAttribute");
    }
    return native != 0;
  });
}

// The smallest of what the ranks give. Collective.
int minimum_over_ranks(Bootstrap& bootstrap, int mine) {
  int least = mine;
  for (const std::string& text : bootstrap.all_gather(fmt::format("{}", mine))) {
    int theirs = 0;
    std::from_chars(text.data(), text.data() + text.size(), theirs);
    least = std::min(least, theirs);
  }
  return least;
}

// The environment is changed while no thread of CUDA or NCCL can read it.
std::optional<NcclReport> prepare_environment(const CudaSettings& settings) {
  NcclEnvironment::reserve();
  hear_libraries();
  if (settings.report) return std::optional<NcclReport>(std::in_place);
  return std::nullopt;
}

}  // namespace

CudaDevice::CudaDevice(Bootstrap& bootstrap, CudaSettings settings)
    : bootstrap_(bootstrap),
      settings_(std::move(settings)),
      report_(prepare_environment(settings_)),
      devices_(find_gpus(settings_.gpus, bootstrap.ranks())) {
  if (ranks() > kernels::kMaxRanks) {
    throw EnvironmentError(
        fmt::format("{} ranks were asked for; the cuda device has room for {}", ranks(), kernels::kMaxRanks));
  }
  check_cuda(cudaSetDevice(ordinal()), fmt::format("cudaSetDevice({})", ordinal()));
  stream_ = make_stream();
  name_stream_for_nvtx(stream_.get(), fmt::format("ringside rank {}", rank()));
  done_ = make_event();
  memory_ = share_gpu_memory(bootstrap_, devices_, memory_needed(settings_.arena));
  start_barrier_ = std::make_unique<StartBarrier>(bootstrap_, memory_->bases(), settings_.wait_limit);
  multiprocessors_ = minimum_over_ranks(bootstrap_, count_multiprocessors(ordinal()));
  const auto& bases = memory_->bases();
  const bool within_reach =
      std::none_of(bases.begin(), bases.end(), [](auto* base) { return base == nullptr; });
  all_within_reach_ = minimum_over_ranks(bootstrap_, within_reach ? 1 : 0) == 1;
  all_native_atomics_ =
      minimum_over_ranks(bootstrap_, native_atomics_to_all(devices_, ordinal()) ? 1 : 0) == 1;

  std::vector<std::byte*> arenas;
  for (std::byte* base : bases) arenas.push_back(base == nullptr ? nullptr : base + kControlBytes);
  digests_ = DeviceMemory(kMostDigests * sizeof(std::uint64_t));
  check_cuda(cudaMemset(digests_.get(), 0, kMostDigests * sizeof(std::uint64_t)),
             "cudaMemset of the digests");
  arena_ = std::make_unique<Arena>(rank(), std::move(arenas), Bytes{memory_->size().count - kControlBytes});
}

CudaDevice::~CudaDevice() {
  while (!companions_.empty()) companions_.pop_back();
}

// Its fair share of the cores; what more than a few threads do is limited by memory.
int CudaDevice::helper_threads() const {
  return std::clamp(usable_cores() / ranks(), 1, 8);
}

CudaDevice& CudaDevice::of(RankDevice& device) {
  if (device.kind() != DeviceKind::cuda) throw InternalError("a strategy for cuda was given another device");
  return static_cast<CudaDevice&>(device);
}

void CudaDevice::write(std::byte* arena_target, std::span<const std::byte> source) {
  check_cuda(cudaMemcpyAsync(arena_target, source.data(), source.size(), cudaMemcpyHostToDevice, stream()),
             "cudaMemcpyAsync to the arena");
  finish();
}

void CudaDevice::read(std::span<std::byte> target, const std::byte* arena_source) {
  check_cuda(cudaMemcpyAsync(target.data(), arena_source, target.size(), cudaMemcpyDeviceToHost, stream()),
             "cudaMemcpyAsync from the arena");
  finish();
}

std::span<std::byte> CudaDevice::staging(std::size_t bytes) {
  if (staging_bytes_ < bytes) {
    staging_.reset();
    staging_ = std::make_unique<PinnedMemory>(bytes);
    staging_bytes_ = bytes;
  }
  return {staging_->as<std::byte>(), bytes};
}

void CudaDevice::fill(std::byte* arena_target, std::byte value, std::size_t bytes) {
  check_cuda(cudaMemsetAsync(arena_target, std::to_integer<int>(value), bytes, stream()),
             "cudaMemsetAsync of the arena");
  finish();
}

void CudaDevice::enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream()),
             "cudaMemcpyAsync inside the arena");
}

void CudaDevice::enqueue_feed(std::byte* target, const std::byte* source, std::size_t bytes) {
  check_cuda(kernels::launch_feed(target, source, bytes, stream()), "launch of feed");
}

void CudaDevice::enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) {
  check_cuda(cudaMemsetAsync(target, std::to_integer<int>(value), bytes, stream()),
             "cudaMemsetAsync of the arena");
}

void CudaDevice::enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) {
  if (slot >= kMostDigests) throw InternalError(fmt::format("there is no digest {}", slot));
  check_cuda(kernels::launch_digest(data, bytes, digests_.as<std::uint64_t>() + slot, stream()),
             "launch of digest");
}

std::vector<std::uint64_t> CudaDevice::take_digests(std::size_t count) {
  std::vector<std::uint64_t> taken(count);
  finish();
  check_cuda(cudaMemcpyAsync(taken.data(), digests_.get(), count * sizeof taken.front(),
                             cudaMemcpyDeviceToHost, stream()),
             "cudaMemcpyAsync from the digests");
  check_cuda(cudaMemsetAsync(digests_.get(), 0, kMostDigests * sizeof taken.front(), stream()),
             "cudaMemsetAsync of the digests");
  finish();
  return taken;
}

void CudaDevice::enqueue_use(const std::byte*, std::size_t) {
  throw UnavailableError("on GPUs calls run back to back, with nothing between them");
}

void CudaDevice::enqueue_delay(std::chrono::nanoseconds delay) {
  kernels::launch_delay(static_cast<std::uint64_t>(delay.count()), stream());
  check_launch("delay");
}

// Twice the second-level cache, written: nothing else is left in it.
void CudaDevice::enqueue_eviction() {
  if (eviction_.get() == nullptr) {
    int cache = 0;
    check_cuda(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, ordinal()), "cudaDeviceGetAttribute");
    eviction_bytes_ = eviction_needed({static_cast<std::uint64_t>(cache)}).count;
    eviction_ = DeviceMemory(eviction_bytes_);
  }
  check_cuda(cudaMemsetAsync(eviction_.get(), 0, eviction_bytes_, stream()), "cudaMemsetAsync");
}

std::unique_ptr<Workload> CudaDevice::make_workload(Mode mode, std::function<void()> calls, Around around) {
  if (mode == Mode::graph) return std::make_unique<GraphWorkload>(*this, calls, std::move(around));
  return std::make_unique<EagerWorkload>(*this, std::move(calls), std::move(around));
}

void CudaDevice::run(const std::function<void()>& calls) {
  calls();
  finish();
}

void CudaDevice::start_profiler() {
  check_cuda(cudaProfilerStart(), "cudaProfilerStart");
}

void CudaDevice::stop_profiler() {
  finish();
  check_cuda(cudaProfilerStop(), "cudaProfilerStop");
}

LinkLimits CudaDevice::measure_limits(Bytes message) {
  return companion<LinkProbe>().limits(message);
}

void CudaDevice::finish() {
  start_barrier_->enqueue_report_copy(stream());
  check_cuda(cudaEventRecord(done_.get(), stream()), "cudaEventRecord");
  const auto begin = steady_clock::now();
  auto next_look = begin + kWatchEvery;
  const auto give_up = [this](const std::string& reason) {
    for (Watched* watched : watched_) watched->abort();
    throw DeviceLost(reason);
  };
  for (;;) {
    const cudaError_t status = cudaEventQuery(done_.get());
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check_cuda(status, "waiting for the stream");
    const auto now = steady_clock::now();
    if (now >= next_look) {
      next_look = now + kWatchEvery;
      for (Watched* watched : watched_) {
        if (const auto trouble = watched->trouble()) give_up(*trouble);
      }
      if (now - begin > kStuckLimit)
        give_up(fmt::format("the GPU's work was not done after {} s", kStuckLimit.count()));
    }
    // Long work must not cost a core, short work must not wait for the scheduler.
    if (now - begin > 1ms) std::this_thread::sleep_for(20us);
  }
  start_barrier_->throw_on_failure();
}

}  // namespace ringside
