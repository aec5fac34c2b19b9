#pragma once

#include "device/host/host_device.hpp"

namespace ringside {

// Blocks of a host strategy's scratch begin on this border.
inline constexpr std::size_t kScratchAlignment = 256;
static_assert(kScratchAlignment % PeerFlags::kAlignment == 0);

// A block for flags of all ranks of the arena, for HostDevice::make_flags().
inline std::byte* allocate_flags(Arena& arena, int channels) {
  return arena.allocate(PeerFlags::size(arena.ranks(), channels), kScratchAlignment);
}

}  // namespace ringside
