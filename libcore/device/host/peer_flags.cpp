#include "device/host/peer_flags.hpp"

#include <new>

namespace ringside {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "flags are shared between processes");

Bytes PeerFlags::size(int ranks, int channels) {
  return {sizeof(Line) * static_cast<std::size_t>(ranks) * static_cast<std::size_t>(channels)};
}

PeerFlags::PeerFlags(int rank, std::vector<std::byte*> blocks, int channels, SpinWait wait)
    : rank_(rank), wait_(wait) {
  for (std::byte* block : blocks) blocks_.push_back(reinterpret_cast<Line*>(block));
  Line* const own = blocks_[static_cast<std::size_t>(rank)];
  for (int line = 0; line < channels * ranks(); ++line) new (own + line) Line;
}

}  // namespace ringside
