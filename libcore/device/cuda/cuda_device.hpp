#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "device/cuda/handles.hpp"
#include "device/cuda/nccl_report.hpp"
#include "device/cuda/shared_memory.hpp"
#include "device/cuda/start_barrier.hpp"
#include "device/rank_device.hpp"

namespace ringside {

struct CudaSettings {
  std::vector<std::string> gpus;  // UUID of each rank's GPU ("GPU-..."), by rank; empty: rank r takes GPU r
  Bytes arena;
  std::string nccl_library;  // path; empty: NCCL can't be used
  bool report = false;       // have NCCL tell what it runs: nothing may be timed then
  std::chrono::nanoseconds wait_limit = std::chrono::seconds(8);  // of one wait in a kernel
};

// Work of libraries that the device waits for but that no kernel of ours can bound (NCCL).
class Watched {
 public:
  virtual ~Watched() = default;
  // What has gone wrong meanwhile; nothing while all is well. Called every few milliseconds.
  virtual std::optional<std::string> trouble() = 0;
  // Ends what is still running; called once, before DeviceLost is thrown.
  virtual void abort() = 0;
};

// A real GPU. All work goes to one stream.
class CudaDevice final : public RankDevice {
 public:
  // What a GPU needs for an arena of this size, before the driver rounds it up to pages of its own.
  static Bytes memory_needed(Bytes arena) { return {arena.count + kControlBytes}; }
  // What enqueue_eviction() takes beside, on a GPU with a cache of this size.
  static Bytes eviction_needed(Bytes cache) { return {2 * cache.count}; }

  // Collective. Throws EnvironmentError. `bootstrap` must outlive it.
  CudaDevice(Bootstrap& bootstrap, CudaSettings settings);
  ~CudaDevice() override;

  // `device` as what it is: a strategy for cuda is given no other.
  static CudaDevice& of(RankDevice& device);

  DeviceKind kind() const override { return DeviceKind::cuda; }
  Bootstrap& bootstrap() const override { return bootstrap_; }
  int helper_threads() const override;
  Arena& arena() override { return *arena_; }
  void write(std::byte* arena_target, std::span<const std::byte> source) override;
  void read(std::span<std::byte> target, const std::byte* arena_source) override;
  std::span<std::byte> staging(std::size_t bytes) override;
  void fill(std::byte* arena_target, std::byte value, std::size_t bytes) override;
  void enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) override;
  void enqueue_feed(std::byte* target, const std::byte* source, std::size_t bytes) override;
  void enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) override;
  void enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) override;
  std::vector<std::uint64_t> take_digests(std::size_t count) override;
  void enqueue_use(const std::byte* data, std::size_t bytes) override;
  void enqueue_delay(std::chrono::nanoseconds delay) override;
  void enqueue_eviction() override;
  using RankDevice::make_workload;
  std::unique_ptr<Workload> make_workload(Mode mode, std::function<void()> calls, Around around) override;
  void run(const std::function<void()>& calls) override;
  void start_profiler() override;
  void stop_profiler() override;
  LinkLimits measure_limits(Bytes message) override;

  const CudaSettings& settings() const { return settings_; }
  cudaStream_t stream() const { return stream_.get(); }
  int ordinal() const { return devices_[static_cast<std::size_t>(rank())]; }  // of this rank's GPU
  int multiprocessors() const { return multiprocessors_; }                    // of the GPU that has fewest
  StartBarrier& start_barrier() { return *start_barrier_; }
  const SharedMemory& memory() const { return *memory_; }
  bool all_within_reach() const { return all_within_reach_; }  // every rank has every rank's memory mapped
  bool all_native_atomics() const { return all_native_atomics_; }      // between any two ranks' GPUs
  NcclReport* nccl_report() { return report_ ? &*report_ : nullptr; }  // null unless the settings ask for it

  // Waits for everything enqueued. Throws DeviceLost when a kernel has given up a wait, when something
  // watched is in trouble, or when the work takes longer than kStuckLimit.
  void finish();
  static constexpr std::chrono::seconds kStuckLimit{15};

  void watch(Watched& watched) { watched_.push_back(&watched); }
  void unwatch(Watched& watched) { std::erase(watched_, &watched); }

  // The device's T, made from the device when first asked for (on all ranks at the same point, if that is
  // collective) and destroyed with it, the latest first: libraries, communicators, probes.
  template <typename T>
  T& companion();

 private:
  Bootstrap& bootstrap_;
  CudaSettings settings_;
  std::optional<NcclReport> report_;
  std::vector<int> devices_;  // CUDA ordinal of each rank's GPU
  int multiprocessors_ = 0;
  bool all_within_reach_ = false;
  bool all_native_atomics_ = false;
  Stream stream_;
  Event done_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<StartBarrier> start_barrier_;
  std::unique_ptr<Arena> arena_;
  DeviceMemory digests_;
  DeviceMemory eviction_;  // made when first needed
  std::size_t eviction_bytes_ = 0;
  std::unique_ptr<PinnedMemory> staging_;  // made when first needed
  std::size_t staging_bytes_ = 0;
  std::vector<Watched*> watched_;
  std::vector<std::pair<std::type_index, std::shared_ptr<void>>> companions_;
};

template <typename T>
T& CudaDevice::companion() {
  const std::type_index type(typeid(T));
  for (const auto& [known, object] : companions_) {
    if (known == type) return *static_cast<T*>(object.get());
  }
  auto object = std::make_shared<T>(*this);
  companions_.emplace_back(type, object);
  return *object;
}

}  // namespace ringside
