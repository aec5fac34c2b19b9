#pragma once

#include "device/host/host_device.hpp"

namespace ringside {

// Blocks of a host strategy's scratch begin on this border.
inline constexpr std::size_t kScratchAlignment = 256;
static_assert(kScratchAlignment % PeerFlags::kAlignment == 0);

// What allocating one block of `size` takes from the arena at most, wherever it stands.
constexpr Bytes block_need(Bytes size) {
  return {size.count + kScratchAlignment - 1};
}

inline Bytes flags_need(int ranks, int channels) {
  return block_need(PeerFlags::size(ranks, channels));
}

// Flags in a new block; not to be used before an exchange barrier.
inline PeerFlags allocate_flags(HostDevice& device, int channels) {
  const Bytes size = PeerFlags::size(device.ranks(), channels);
  return device.make_flags(device.arena().allocate(size, kScratchAlignment), channels);
}

}  // namespace ringside
