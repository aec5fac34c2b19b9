#pragma once

#include <cstdint>
#include <vector>

#include "device/host/host_device.hpp"
#include "device/host/reduction.hpp"
#include "strategy/host/split.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// Rank r adds up part r of the message, in rank order, straight from all ranks' inputs and writes the result
// into every rank's output: one pass over the data and no copy. 2(n-1)/n of the message on the wire.
//
// Memory order. Two flags per pair of ranks and call. A rank posts `ready` when its input holds the values of
// this call (release: after the caller's writes); a peer reads that input only behind its wait (acquire). A
// rank posts `done` when it has written its part everywhere and reads nothing any more; a rank returns only
// behind the `done` of all, so it sees every part of its output, and what its caller now writes to the input
// can't be seen by a peer in this call. An output is written by peers only between its owner's `ready` and
// its return, while the caller leaves it alone. In place works because part r of every rank is read and
// written by rank r alone. Flags count calls and never go back; every wait is for a post that the peer makes
// without waiting for anything but the same call's earlier posts.
class DirectReduction final : public PreparedCollective {
 public:
  // A block of the arena for one of them.
  static std::byte* allocate(Arena& arena);

  // `memory`: from allocate(). `streaming`: results go around the caches. An bootstrap barrier must follow
  // before the first call.
  DirectReduction(HostDevice& device, const Case& params, std::byte* memory, bool streaming);

  void enqueue(const std::byte* input, std::byte* output) override;

 private:
  const Arena& arena_;
  PeerFlags flags_;
  Reduction reduction_;
  std::size_t element_size_;
  Elements part_;
  bool streaming_;
  std::vector<const std::byte*> inputs_;  // by rank
  std::vector<std::byte*> outputs_;       // by rank
  std::uint64_t call_ = 0;
};

}  // namespace ringside
