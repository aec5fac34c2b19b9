#pragma once

#include <cstdint>
#include <vector>

#include "device/host/host_device.hpp"
#include "device/host/reduction.hpp"
#include "strategy/host/packet_slots.hpp"
#include "strategy/host/split.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// Two-shot allreduce: blocks of the message are cut into one part per rank. Each rank pushes part p of its
// input to rank p, in a packet that carries its own readiness (reduce-scatter); rank p adds up its part in
// rank order and writes the result into every rank's output, then posts a flag (all-gather). Two hops;
// 2(n-1)/n of the message on the wire. The next block's parts are pushed before this block's are added up, so
// that ranks seldom wait.
//
// Memory order. Packets are published and observed as PacketSlots says. Blocks are numbered on through all
// calls. The flag `written` = b, posted with release, says: my part of block b stands in your output, and
// your packet of block b has been read. A rank waits for b - 2 of a peer before it pushes block b into that
// peer's slots (two slots are enough) and for the last block of all peers before it returns. Rank p writes
// into rank r's output only behind r's packet of the same block: r has then entered the call, and has pushed
// its own input of that part, so that in place nothing is overwritten which is still needed. No cycle: block
// b waits only for what peers do for block b before any wait of that block, or for earlier blocks.
class TwoShot final : public PreparedCollective {
 public:
  // Blocks of the arena for one of them.
  struct Memory {
    std::byte* slots;
    std::byte* flags;
  };
  static Memory allocate(Arena& arena);

  // `memory`: from allocate(). `streaming`: results go around the caches. An bootstrap barrier must follow
  // before the first call.
  TwoShot(HostDevice& device, const Case& params, const Memory& memory, bool streaming);

  void enqueue(const std::byte* input, std::byte* output) override;

 private:
  Elements block_at(std::size_t first) const;
  Elements part_of(Elements block, int rank) const;
  void push_parts(Elements block, const std::byte* input);
  void reduce_part(Elements block, const std::byte* input, std::byte* output);

  const Arena& arena_;
  int rank_;
  int ranks_;
  std::size_t count_;
  std::size_t element_size_;
  std::size_t elements_in_block_;
  bool streaming_;
  PacketSlots slots_;
  PeerFlags flags_;
  Reduction reduction_;
  std::vector<const std::byte*> terms_;  // by rank
  std::vector<std::byte*> outputs_;      // by rank
  std::uint64_t reduced_ = 0;            // blocks
  std::uint64_t pushed_ = 0;             // blocks; one ahead inside a call
};

}  // namespace ringside
