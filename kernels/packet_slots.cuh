#pragma once

#include "kernels/packet_slots.hpp"
#include "kernels/test_build.cuh"

namespace ringside::kernels {

inline constexpr std::size_t kSlotHeader = 4096;  // the counter of calls
inline constexpr int kEmptyWord = -1;

// A slot is read and written as two 8-byte words, each a relaxed access at system scope: that such a word
// arrives whole is all that is asked of the link.
__device__ inline int4 look(const int4* box) {
  int4 content;
  asm volatile(
      "{ .reg .b64 lower, upper;\n"
      "ld.relaxed.sys.global.v2.b64 {lower, upper}, [%4];\n"
      "mov.b64 {%0, %1}, lower;\n"
      "mov.b64 {%2, %3}, upper; }"
      : "=r"(content.x), "=r"(content.y), "=r"(content.z), "=r"(content.w)
      : "l"(box)
      : "memory");
  return content;
}

__device__ inline void put(int4* box, int4 content) {
  asm volatile(
      "{ .reg .b64 lower, upper;\n"
      "mov.b64 lower, {%1, %2};\n"
      "mov.b64 upper, {%3, %4};\n"
      "st.relaxed.sys.global.v2.b64 [%0], {lower, upper}; }"
      :
      : "l"(box), "r"(content.x), "r"(content.y), "r"(content.z), "r"(content.w)
      : "memory");
}

__device__ inline void empty(int4* box) {
  if constexpr (kPlantedBug == PlantedBug::keep_packets) return;
  put(box, make_int4(kEmptyWord, kEmptyWord, kEmptyWord, kEmptyWord));
}

// The number of calls made before this one, as all blocks of the call see it, whatever the grid.
//
// A call adds 2^32 to the counter, in shares: each block adds its own, after it has read the counter. A block
// that has not added its share sees less than 2^32 of this call's additions, so the upper half is still the
// number of calls before. When the kernel is complete all shares are in, and the next kernel of the stream
// sees the next number. Nobody waits for anybody, nothing is reset, and no grid is remembered.
class CallCounter {
 public:
  CallCounter(const PacketSlots& slots, int blocks)
      : counter_(reinterpret_cast<std::uint64_t*>(slots.memory[slots.rank])),
        share_(kWhole / static_cast<unsigned>(blocks)),
        first_share_(kWhole - share_ * static_cast<unsigned>(blocks - 1)) {
    if constexpr (kPlantedBug == PlantedBug::count_per_block) share_ = first_share_ = kWhole;
  }

  __device__ std::uint32_t calls_before() const {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(counter()) : "memory");
    return static_cast<std::uint32_t>(value >> 32);
  }

  // By one thread of each block, when no thread of the block will read the counter any more.
  __device__ void add_share_of_block() const {
    const std::uint64_t share = blockIdx.x == 0 ? first_share_ : share_;
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(counter()), "l"(share) : "memory");
  }

 private:
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;

  __device__ std::uint64_t* counter() const {
    return kPlantedBug == PlantedBug::count_per_block ? counter_ + blockIdx.x : counter_;
  }

  std::uint64_t* counter_;
  std::uint64_t share_;
  std::uint64_t first_share_;
};

// This rank's rows at each peer and those of each peer here, of the first half, in the order of ranks
// without this one. Put together on the host: a kernel that computes addresses before its first load is
// measurably later.
template <int Ranks>
struct PeerRows {
  int4* outgoing[Ranks - 1];
  int4* incoming[Ranks - 1];
  std::uint32_t half_slots;  // from a slot of the first half to the same one of the second

  explicit PeerRows(const PacketSlots& slots)
      : half_slots(static_cast<std::uint32_t>((Ranks - 1) * slots.row_bytes / sizeof(int4))) {
    for (int p = 0; p < Ranks - 1; ++p) {
      const int peer = p < slots.rank ? p : p + 1;
      outgoing[p] = row(slots, peer, slots.rank);
      incoming[p] = row(slots, slots.rank, peer);
    }
  }

  // What to add to a place in the call that has `calls` calls before it.
  __device__ std::uint32_t half(std::uint32_t calls) const {
    return kPlantedBug == PlantedBug::one_half ? 0 : (calls & 1) * half_slots;
  }

 private:
  static int4* row(const PacketSlots& slots, int receiver, int sender) {
    const int index = sender < receiver ? sender : sender - 1;
    return reinterpret_cast<int4*>(slots.memory[receiver] + kSlotHeader +
                                   static_cast<std::size_t>(index) * slots.row_bytes);
  }
};

}  // namespace ringside::kernels
