#include "strategy/host/two_shot.hpp"

#include <algorithm>

#include "strategy/host/scratch.hpp"

namespace ringside {
namespace {

constexpr std::size_t kPacket = 16 * 1024;  // bytes of a part: the slots stay in a core's own cache

constexpr int kWritten = 0;
constexpr int kChannels = 1;

}  // namespace

TwoShot::Memory TwoShot::allocate(Arena& arena) {
  return {arena.allocate(PacketSlots::size(arena.ranks(), 1, kPacket), kScratchAlignment),
          allocate_flags(arena, kChannels)};
}

TwoShot::TwoShot(HostDevice& device, const Case& params, const Memory& memory, bool streaming)
    : arena_(device.arena()),
      rank_(device.rank()),
      ranks_(device.ranks()),
      count_(params.count()),
      element_size_(element_size(params.dtype)),
      elements_in_block_(static_cast<std::size_t>(ranks_) * kPacket / element_size_),
      streaming_(streaming),
      slots_(device, memory.slots, 1, kPacket),
      flags_(device.make_flags(memory.flags, kChannels)),
      reduction_(params.dtype),
      terms_(static_cast<std::size_t>(ranks_)),
      outputs_(static_cast<std::size_t>(ranks_)) {}

void TwoShot::enqueue(const std::byte* input, std::byte* output) {
  if (count_ == 0) return;
  push_parts(block_at(0), input);
  for (std::size_t first = 0; first < count_; first += elements_in_block_) {
    const std::size_t next = first + elements_in_block_;
    if (next < count_) push_parts(block_at(next), input);
    reduce_part(block_at(first), input, output);
  }
  flags_.wait_all(kWritten, reduced_);
}

Elements TwoShot::block_at(std::size_t first) const {
  return {first, std::min(elements_in_block_, count_ - first)};
}

Elements TwoShot::part_of(Elements block, int rank) const {
  return split(block, ranks_, rank, elements_per_line(element_size_));
}

// To each peer its part of this rank's input.
void TwoShot::push_parts(Elements block, const std::byte* input) {
  ++pushed_;
  for (int i = 1; i < ranks_; ++i) {
    const int peer = (rank_ + i) % ranks_;
    const Elements part = part_of(block, peer);
    if (part.count == 0) continue;
    if (pushed_ > 2) flags_.wait(kWritten, peer, pushed_ - 2);
    slots_.push(peer, pushed_, 0, input + part.first * element_size_, part.count * element_size_);
  }
}

// This rank's part, from all inputs into all outputs.
void TwoShot::reduce_part(Elements block, const std::byte* input, std::byte* output) {
  ++reduced_;
  const Elements part = part_of(block, rank_);
  if (part.count != 0) {
    const std::size_t offset = part.first * element_size_;
    for (int rank = 0; rank < ranks_; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      terms_[r] = rank == rank_ ? input + offset : slots_.wait(rank, reduced_, 0);
      outputs_[r] = arena_.on_rank(rank, output) + offset;
    }
    const Terms terms{.partials = {}, .values = terms_};
    if (streaming_) {
      reduction_.to_result_streaming(outputs_, terms, part.count);
    } else {
      reduction_.to_result(outputs_, terms, part.count);
    }
  }
  flags_.post_all(kWritten, reduced_);
}

}  // namespace ringside
