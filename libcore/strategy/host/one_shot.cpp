#include "strategy/host/one_shot.hpp"

#include <algorithm>

#include "strategy/host/scratch.hpp"

namespace ringside {
namespace {

// Long packets: where a reader polls for many short ones, its core runs ahead into lines that are still being
// written and takes them away from the writer.
constexpr std::size_t kPacket = 16 * 1024;

std::size_t packets_of(Bytes message) {
  return (message.count + kPacket - 1) / kPacket;
}

std::size_t payload_of(Bytes message) {
  return std::min<std::size_t>(message.count, kPacket);
}

}  // namespace

Bytes OneShot::memory_size(const Case& params) {
  return PacketSlots::size(params.ranks, packets_of(params.bytes), payload_of(params.bytes));
}

std::byte* OneShot::allocate(Arena& arena, const Case& params) {
  return arena.allocate(memory_size(params), kScratchAlignment);
}

OneShot::OneShot(HostDevice& device, const Case& params, std::byte* memory)
    : rank_(device.rank()),
      ranks_(device.ranks()),
      bytes_(params.bytes.count),
      element_size_(element_size(params.dtype)),
      packets_(packets_of(params.bytes)),
      slots_(device, memory, packets_, payload_of(params.bytes)),
      reduction_(params.dtype),
      terms_(static_cast<std::size_t>(ranks_)) {}

void OneShot::enqueue(const std::byte* input, std::byte* output) {
  ++call_;
  for (std::size_t packet = 0; packet < packets_; ++packet) {
    for (int i = 1; i < ranks_; ++i) {
      slots_.push((rank_ + i) % ranks_, call_, packet, input + packet * kPacket, packet_bytes(packet));
    }
  }
  for (std::size_t packet = 0; packet < packets_; ++packet) {
    const std::size_t offset = packet * kPacket;
    for (int rank = 0; rank < ranks_; ++rank) {
      terms_[static_cast<std::size_t>(rank)] =
          rank == rank_ ? input + offset : slots_.wait(rank, call_, packet);
    }
    reduction_.to_result(output + offset, {.partials = {}, .values = terms_},
                         packet_bytes(packet) / element_size_);
  }
}

std::size_t OneShot::packet_bytes(std::size_t packet) const {
  return std::min(kPacket, bytes_ - packet * kPacket);
}

}  // namespace ringside
