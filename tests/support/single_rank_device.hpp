#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/hash_bytes.hpp"
#include "device/rank_device.hpp"

namespace ringside::test {

// A device for one rank alone, whose allreduce is a copy: shows what a caller does with a device. Runs calls
// in any mode, and remembers how it was used.
class SingleRankDevice final : public RankDevice {
 public:
  explicit SingleRankDevice(Bytes arena) : memory_(arena.count), arena_(0, {memory_.data()}, arena) {}

  DeviceKind kind() const override { return DeviceKind::host; }
  Bootstrap& bootstrap() const override { return bootstrap_; }
  Arena& arena() override { return arena_; }
  void write(std::byte* target, std::span<const std::byte> source) override {
    if (in_workload_) throw std::logic_error("the host wrote inside a workload");
    std::memcpy(target, source.data(), source.size());
  }
  void read(std::span<std::byte> target, const std::byte* source) override {
    if (in_workload_) throw std::logic_error("the host read inside a workload");
    std::memcpy(target.data(), source, target.size());
  }
  std::span<std::byte> staging(std::size_t bytes) override {
    staged = std::max(staged, bytes);
    return RankDevice::staging(bytes);
  }
  void enqueue_copy(std::byte* target, const std::byte* source, std::size_t bytes) override {
    if (!in_workload_) throw std::logic_error("a copy was enqueued outside a workload");
    std::memcpy(target, source, bytes);
  }
  void enqueue_fill(std::byte* target, std::byte value, std::size_t bytes) override {
    std::memset(target, std::to_integer<int>(value), bytes);
  }
  void enqueue_digest(const std::byte* data, std::size_t bytes, std::size_t slot) override {
    digests_.resize(std::max(digests_.size(), slot + 1));
    digests_[slot] += hash_bytes({data, bytes});
  }
  std::vector<std::uint64_t> take_digests(std::size_t count) override {
    std::vector<std::uint64_t> taken = std::exchange(digests_, {});
    taken.resize(count);
    return taken;
  }
  void enqueue_use(const std::byte*, std::size_t) override {}
  void enqueue_delay(std::chrono::nanoseconds) override {}
  void enqueue_eviction() override {}
  using RankDevice::make_workload;
  std::unique_ptr<Workload> make_workload(Mode mode, std::function<void()> calls, Around around) override {
    modes.push_back(mode);
    return std::make_unique<Calls>(*this, std::move(calls), std::move(around));
  }
  void run(const std::function<void()>& calls) override {
    in_workload_ = true;
    calls();
    in_workload_ = false;
  }
  LinkLimits measure_limits(Bytes) override { return {}; }

  std::vector<Mode> modes;  // of the workloads that were made
  int repetitions = 0;
  std::size_t staged = 0;  // bytes, at most

 private:
  class Alone final : public Bootstrap, public PeerMemory {
   public:
    int rank() const override { return 0; }
    int ranks() const override { return 1; }
    std::vector<std::string> all_gather(std::string_view mine) override { return {std::string(mine)}; }
    std::vector<UniqueFd> all_gather_fd(int) override { return {}; }
    PeerMemory& peer_memory() override { return *this; }
  };

  class Calls final : public Workload {
   public:
    Calls(SingleRankDevice& device, std::function<void()> calls, Around around)
        : device_(device), calls_(std::move(calls)), around_(std::move(around)) {}
    void repeat(std::span<double> times_ns) override {
      for (double& time_ns : times_ns) {
        device_.in_workload_ = true;
        if (around_.before) around_.before();
        calls_();
        if (around_.after) around_.after();
        device_.in_workload_ = false;
        ++device_.repetitions;
        time_ns = 1;
      }
    }

   private:
    SingleRankDevice& device_;
    std::function<void()> calls_;
    Around around_;
  };

  mutable Alone bootstrap_;
  std::vector<std::byte> memory_;
  Arena arena_;
  bool in_workload_ = false;
  std::vector<std::uint64_t> digests_;
};

}  // namespace ringside::test
