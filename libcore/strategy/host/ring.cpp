// ring: reduce-scatter, then all-gather, each rank speaking only with its neighbours. The message is worked
// off in blocks that stay in the caches; a block has one slice per rank. Slice j starts its way at rank j as
// that rank's values in fp32; every rank it comes to adds its own, so it is summed in the order j, j+1, ...,
// j-1, and the last rank rounds it, once. The rounded slices then go round the same way, so all ranks end
// with the same bits.
//
// Memory order. Two flags per pair of neighbours, which count through all calls. `sent` (to the right,
// release): the partial sums stand in your slot, or the finished slice in your output. `taken` (to the left,
// release): the partial sums in my slot have been added. Two slots are used in turn; a rank waits for `taken`
// of the partial before the last before it writes a slot. A finished slice is written straight into the right
// neighbour's output: as it is finished, that neighbour has added its own input to it, hence has entered the
// call and needs that input no more (in place). It passes the slice on from its output before it returns.
// Nobody reads a neighbour's input, so the caller may overwrite it when the call returns. No cycle: a rank's
// step t waits only for its left neighbour's step t and its right neighbour's step t - 2.
#include <algorithm>
#include <cstring>
#include <utility>

#include "device/host/host_device.hpp"
#include "device/host/reduction.hpp"
#include "strategy/cost.hpp"
#include "strategy/host/scratch.hpp"
#include "strategy/host/split.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr int kSent = 0;
constexpr int kTaken = 1;
constexpr int kChannels = 2;

constexpr std::size_t kSlice = 8192;  // elements; 32 KiB of partial sums
constexpr Bytes kSlots{2 * kSlice * sizeof(float)};

struct Memory {
  std::byte* slots;
  std::byte* flags;
};

Memory allocate_memory(Arena& arena) {
  return {arena.allocate(kSlots, kScratchAlignment), allocate_flags(arena, kChannels)};
}

class RingReduction final : public PreparedCollective {
 public:
  RingReduction(HostDevice& device, const Case& params, const Memory& memory)
      : arena_(device.arena()),
        rank_(device.rank()),
        ranks_(device.ranks()),
        left_((rank_ + ranks_ - 1) % ranks_),
        right_((rank_ + 1) % ranks_),
        count_(params.count()),
        element_size_(element_size(params.dtype)),
        reduction_(params.dtype),
        slots_(memory.slots),
        flags_(device.make_flags(memory.flags, kChannels)) {}

  void enqueue(const std::byte* input, std::byte* output) override {
    const std::size_t in_block = kSlice * static_cast<std::size_t>(ranks_);
    for (std::size_t first = 0; first < count_; first += in_block) {
      const Elements block{first, std::min(in_block, count_ - first)};
      reduce_scatter(block, input, output);
      all_gather(block, output);
    }
  }

 private:
  // The slice that this rank handles in `step`: they come from the left, so each step it is one further to
  // the left.
  Elements slice(Elements block, int step) const {
    const int index = (rank_ - step + 2 * ranks_) % ranks_;
    return split(block, ranks_, index, elements_per_line(element_size_));
  }

  float* slot(int owner, std::uint64_t partial) const {
    return reinterpret_cast<float*>(arena_.on_rank(owner, slots_)) + partial % 2 * kSlice;
  }

  void reduce_scatter(Elements block, const std::byte* input, std::byte* output) {
    for (int step = 0; step < ranks_; ++step) {
      const Elements part = slice(block, step);
      const std::byte* const values = input + part.first * element_size_;
      const float* partial = nullptr;
      if (step > 0) {
        flags_.wait(kSent, left_, ++received_);
        partial = slot(rank_, partials_taken_);
      }
      const Terms terms{.partials = {&partial, step > 0 ? 1u : 0u}, .values = {&values, 1}};
      if (step == ranks_ - 1) {
        reduction_.to_result(output + part.first * element_size_, terms, part.count);
      } else {
        ++partials_sent_;
        if (partials_sent_ > 2) flags_.wait(kTaken, right_, partials_sent_ - 2);
        reduction_.to_partial(slot(right_, partials_sent_ - 1), terms, part.count);
        flags_.post(kSent, right_, ++sent_);
      }
      if (step > 0) flags_.post(kTaken, left_, ++partials_taken_);
    }
  }

  void all_gather(Elements block, std::byte* output) {
    for (int step = ranks_ - 1; step < 2 * (ranks_ - 1); ++step) {
      const Elements part = slice(block, step);
      std::byte* const finished = output + part.first * element_size_;
      if (part.count != 0) {
        std::memcpy(arena_.on_rank(right_, finished), finished, part.count * element_size_);
      }
      flags_.post(kSent, right_, ++sent_);
      flags_.wait(kSent, left_, ++received_);  // the next slice stands in our output
    }
  }

  const Arena& arena_;
  int rank_;
  int ranks_;
  int left_;
  int right_;
  std::size_t count_;
  std::size_t element_size_;
  Reduction reduction_;
  std::byte* slots_;
  PeerFlags flags_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t partials_sent_ = 0;
  std::uint64_t partials_taken_ = 0;
};

class Ring final : public Strategy {
 public:
  std::string_view name() const override { return "ring"; }
  std::string_view family() const override { return "ring"; }
  std::string_view summary() const override {
    return "reduce-scatter and all-gather through neighbours; fp32 partial sums on the wire";
  }
  DeviceKind device() const override { return DeviceKind::host; }
  Numerics numerics() const override { return {.single_rounding = true, .bitwise_across_ranks = true}; }

  void allocate(Arena& arena, const Case&) const override { allocate_memory(arena); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    auto prepared = std::make_unique<RingReduction>(host, params, allocate_memory(host.arena()));
    host.bootstrap().barrier();
    return prepared;
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double ranks = params.ranks;
    const double elements = static_cast<double>(params.count());
    const double per_element = sizeof(float) + static_cast<double>(element_size(params.dtype));
    return estimate_cost(machine, 2 * (ranks - 1), (ranks - 1) / ranks * elements * per_element,
                         "2(n-1) x step + (n-1)/n x (fp32 partials + result) / bandwidth");
  }
};

const RegisterStrategy<Ring> registered;

}  // namespace
}  // namespace ringside
