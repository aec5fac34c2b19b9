#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/host/host_device.hpp"

namespace ringside {

// Memory into which peers push packets that say themselves when they are complete: behind the payload, in the
// same cache line where there is room, stands the number of the round that it belongs to. So data and the
// news of it are one transfer.
//
// Memory order: push() writes the payload, then the number with release; wait() reads the number with
// acquire, then hands out the payload. Only the pushing rank writes a slot. Each (sender, packet) has two
// slots, for odd and even rounds: it is for the caller to see that a rank has read round k before a peer
// pushes round k + 2. The number always stands at the same place of a slot, which no payload ever covers, so
// no data can look like readiness; a slot holds the number of an earlier round, or 0, until its time has
// come.
class PacketSlots {
 public:
  // What one rank's slots take: for each peer and parity `packets` packets of up to `payload` bytes.
  static Bytes size(int ranks, std::size_t packets, std::size_t payload);

  // Slots in a block of this arena, which the caller has allocated with size() and kScratchAlignment. Zeroes
  // this rank's numbers: not to be used before an bootstrap barrier. Rounds count from 1.
  PacketSlots(HostDevice& device, std::byte* block, std::size_t packets, std::size_t payload);

  void push(int peer, std::uint64_t round, std::size_t packet, const std::byte* data,
            std::size_t bytes) const;

  // The payload that `peer` has pushed to this rank; waits for it.
  const std::byte* wait(int peer, std::uint64_t round, std::size_t packet) const;

 private:
  std::byte* slot(int owner, int sender, std::uint64_t round, std::size_t packet) const;
  std::atomic<std::uint64_t>& number(std::byte* slot) const;

  int rank_;
  std::size_t packets_;
  std::size_t payload_;
  std::vector<std::byte*> blocks_;  // by rank
  SpinWait wait_;
};

}  // namespace ringside
