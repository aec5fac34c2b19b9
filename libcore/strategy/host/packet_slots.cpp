#include "strategy/host/packet_slots.hpp"

#include <cstring>
#include <new>

namespace ringside {
namespace {

using Number = std::atomic<std::uint64_t>;
static_assert(Number::is_always_lock_free, "slots are shared between processes");

std::size_t number_offset(std::size_t payload) {
  return (payload + alignof(Number) - 1) / alignof(Number) * alignof(Number);
}

std::size_t stride(std::size_t payload) {
  return (number_offset(payload) + sizeof(Number) + 63) / 64 * 64;
}

}  // namespace

Bytes PacketSlots::size(int ranks, std::size_t packets, std::size_t payload) {
  return {2 * static_cast<std::size_t>(ranks) * packets * stride(payload)};
}

PacketSlots::PacketSlots(HostDevice& device, std::byte* block, std::size_t packets, std::size_t payload)
    : rank_(device.rank()), packets_(packets), payload_(payload), wait_(device.spin_wait()) {
  for (int rank = 0; rank < device.ranks(); ++rank) blocks_.push_back(device.arena().on_rank(rank, block));
  for (int sender = 0; sender < device.ranks(); ++sender) {
    for (std::uint64_t parity = 0; parity < 2; ++parity) {
      for (std::size_t packet = 0; packet < packets; ++packet) {
        new (slot(rank_, sender, parity, packet) + number_offset(payload)) Number(0);
      }
    }
  }
}

std::byte* PacketSlots::slot(int owner, int sender, std::uint64_t round, std::size_t packet) const {
  const std::size_t place = (static_cast<std::size_t>(sender) * 2 + round % 2) * packets_ + packet;
  return blocks_[static_cast<std::size_t>(owner)] + place * stride(payload_);
}

std::atomic<std::uint64_t>& PacketSlots::number(std::byte* slot) const {
  return *std::launder(reinterpret_cast<Number*>(slot + number_offset(payload_)));
}

void PacketSlots::push(int peer, std::uint64_t round, std::size_t packet, const std::byte* data,
                       std::size_t bytes) const {
  std::byte* const target = slot(peer, rank_, round, packet);
  std::memcpy(target, data, bytes);
  number(target).store(round, std::memory_order_release);
}

const std::byte* PacketSlots::wait(int peer, std::uint64_t round, std::size_t packet) const {
  std::byte* const source = slot(rank_, peer, round, packet);
  const Number& theirs = number(source);
  wait_.until([&] { return theirs.load(std::memory_order_acquire) == round; });
  return source;
}

}  // namespace ringside
