// tree: sums go up a binary tree and the result comes down, in chunks, so that all levels work at once. Rank
// r has the children 2r + 1 and 2r + 2; rank 0 is the root. The sum of a subtree is (left subtree + right
// subtree) + own values, in fp32; the root rounds it, once, and every rank gets the root's bits.
//
// Memory order. Three flags per edge, which count chunks through all calls. `up` (release): my subtree's sum
// stands in your slot for me. `taken` (release): your sum in my slot has been added. `down` (release): the
// result stands in your output. A child has two slots at its parent and waits for `taken` of the chunk before
// the last before it writes one. A parent writes a result straight into its children's outputs: as it is the
// result, the child's values are in it, so the child has entered the call and needs that input no more (in
// place). A child passes it on from its own output before it returns. Nobody reads another rank's input, so
// the caller may overwrite it when the call returns. No cycle: going up waits only for ranks below and for
// earlier chunks; coming down only for the rank above.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "device/host/host_device.hpp"
#include "device/host/reduction.hpp"
#include "strategy/cost.hpp"
#include "strategy/host/scratch.hpp"
#include "strategy/host/split.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr int kUp = 0;
constexpr int kTaken = 1;
constexpr int kDown = 2;
constexpr int kChannels = 3;

constexpr std::size_t kChunk = 8192;  // elements; 32 KiB of partial sums
constexpr std::size_t kMostChildren = 2;
constexpr Bytes kSlots{kMostChildren * 2 * kChunk * sizeof(float)};

std::size_t chunks_of(std::size_t count) {
  return (count + kChunk - 1) / kChunk;
}

// Levels below the root.
int height(int ranks) {
  int levels = 0;
  while ((2 << levels) <= ranks) ++levels;
  return levels;
}

struct Memory {
  std::byte* slots;
  std::byte* flags;
};

Memory allocate_memory(Arena& arena) {
  return {arena.allocate(kSlots, kScratchAlignment), allocate_flags(arena, kChannels)};
}

class TreeReduction final : public PreparedCollective {
 public:
  TreeReduction(HostDevice& device, const Case& params, const Memory& memory)
      : arena_(device.arena()),
        rank_(device.rank()),
        parent_((rank_ - 1) / 2),
        count_(params.count()),
        element_size_(element_size(params.dtype)),
        // A result comes back after the way up and down: so many chunks are on their way at once.
        lag_(2 * static_cast<std::size_t>(height(device.ranks()))),
        reduction_(params.dtype),
        slots_(memory.slots),
        flags_(device.make_flags(memory.flags, kChannels)) {
    for (int child = 2 * rank_ + 1; child <= 2 * rank_ + 2 && child < device.ranks(); ++child) {
      children_.push_back(child);
    }
    partials_.resize(children_.size());
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    const std::size_t chunks = chunks_of(count_);
    const std::size_t lag = rank_ == 0 ? 0 : lag_;
    for (std::size_t i = 0; i < chunks + lag; ++i) {
      if (i < chunks) send_up(chunk(i), input, output);
      if (i >= lag) send_down(chunk(i - lag), output);
    }
  }

 private:
  Elements chunk(std::size_t index) const {
    return {index * kChunk, std::min(kChunk, count_ - index * kChunk)};
  }

  // Where the sum number `sum` of the owner's child number `child` stands.
  float* slot(int owner, std::size_t child, std::uint64_t sum) const {
    return reinterpret_cast<float*>(arena_.on_rank(owner, slots_)) + (2 * child + sum % 2) * kChunk;
  }

  void send_up(Elements part, const std::byte* input, std::byte* output) {
    ++up_;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      flags_.wait(kUp, children_[child], up_);
      partials_[child] = slot(rank_, child, up_);
    }
    const std::byte* const values = input + part.first * element_size_;
    const Terms terms{.partials = partials_, .values = {&values, 1}};
    if (rank_ == 0) {
      reduction_.to_result(output + part.first * element_size_, terms, part.count);
    } else {
      if (up_ > 2) flags_.wait(kTaken, parent_, up_ - 2);
      const bool left = rank_ % 2 == 1;
      reduction_.to_partial(slot(parent_, left ? 0 : 1, up_), terms, part.count);
      flags_.post(kUp, parent_, up_);
    }
    for (const int child : children_) flags_.post(kTaken, child, up_);
  }

  void send_down(Elements part, std::byte* output) {
    ++down_;
    if (rank_ != 0) flags_.wait(kDown, parent_, down_);
    std::byte* const result = output + part.first * element_size_;
    for (const int child : children_) {
      std::memcpy(arena_.on_rank(child, result), result, part.count * element_size_);
      flags_.post(kDown, child, down_);
    }
  }

  const Arena& arena_;
  int rank_;
  int parent_;
  std::size_t count_;
  std::size_t element_size_;
  std::size_t lag_;
  Reduction reduction_;
  std::byte* slots_;
  PeerFlags flags_;
  std::vector<int> children_;
  std::vector<const float*> partials_;
  std::uint64_t up_ = 0;
  std::uint64_t down_ = 0;
};

// Bytes on the wire of the busiest rank in its busier direction.
double busiest_link(const Case& params) {
  const double elements = static_cast<double>(params.count());
  const double partials = elements * sizeof(float);
  const double result = static_cast<double>(params.bytes.count);
  double busiest = 0;
  for (int rank = 0; rank < params.ranks; ++rank) {
    const double children = std::clamp(params.ranks - (2 * rank + 1), 0, 2);
    const double has_parent = rank == 0 ? 0 : 1;
    busiest = std::max(
        {busiest, children * partials + has_parent * result, children * result + has_parent * partials});
  }
  return busiest;
}

class Tree final : public Strategy {
 public:
  std::string_view name() const override { return "tree"; }
  std::string_view family() const override { return "tree"; }
  std::string_view summary() const override {
    return "pipelined binary tree, reduce up and broadcast down; fp32 partial sums on the wire";
  }
  DeviceKind device() const override { return DeviceKind::host; }
  Numerics numerics() const override { return {.single_rounding = true, .bitwise_across_ranks = true}; }

  void allocate(Arena& arena, const Case&) const override { allocate_memory(arena); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    auto prepared = std::make_unique<TreeReduction>(host, params, allocate_memory(host.arena()));
    host.bootstrap().barrier();
    return prepared;
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return estimate_cost(machine, 2 * height(params.ranks), busiest_link(params),
                         "2 x height x step + (partials of the children + result) / bandwidth");
  }
};

const RegisterStrategy<Tree> registered;

}  // namespace
}  // namespace ringside
