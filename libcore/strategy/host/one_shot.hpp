#pragma once

#include <cstdint>
#include <vector>

#include "device/host/reduction.hpp"
#include "strategy/host/packet_slots.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// One-shot allreduce: every rank pushes its whole input to every peer, in packets that carry their own
// readiness, and adds up everything itself, in rank order. One hop; n-1 times the message on the wire.
//
// Memory order. A packet is published and observed as PacketSlots says; the caller's input is copied, so it
// may be overwritten when the call returns. Rank p pushes call k + 2 into slots of call k on rank r only
// after it has finished call k + 1, for which it waited for r's packets of k + 1, and r pushed those after it
// had read all of call k: two slots per peer are enough and no flag goes back. Every wait is for packets that
// peers push before they wait for anything of the same call.
class OneShot final : public PreparedCollective {
 public:
  // Of the slots that one of them has on each rank.
  static Bytes memory_size(const Case& params);
  // A block of the arena for one of them.
  static std::byte* allocate(Arena& arena, const Case& params);

  // `memory`: from allocate(). An bootstrap barrier must follow before the first call.
  OneShot(HostDevice& device, const Case& params, std::byte* memory);

  void enqueue(const std::byte* input, std::byte* output) override;

 private:
  std::size_t packet_bytes(std::size_t packet) const;

  int rank_;
  int ranks_;
  std::size_t bytes_;
  std::size_t element_size_;
  std::size_t packets_;
  PacketSlots slots_;
  Reduction reduction_;
  std::vector<const std::byte*> terms_;  // by rank
  std::uint64_t call_ = 0;
};

}  // namespace ringside
