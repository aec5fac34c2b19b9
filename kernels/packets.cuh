#pragma once

#include "kernels/packet_slots.cuh"
#include "kernels/wait.cuh"

namespace ringside::kernels {

// How a 16-byte vector travels through slots. A kind of packet has
//
//   kSlots                     slots to a vector
//   place(vector, i)           where in a row the i-th slot of the vector with this number is
//   seal(vector, i, call)      what is put into it
//   has_come(content, call)    whether what was put there has come
//   open(contents)             the vector

// One slot to a vector, which says itself that it has come: an empty slot has all bits set, and no word
// of a sealed vector has. All bits set is a NaN in every element type (two of them in a word of 16-bit
// elements); it is replaced by the NaN whose last bit is clear. No sum notices, since a sum with a NaN is
// always the one canonical NaN.
struct BarePacket {
  static constexpr int kSlots = 1;

  __device__ static std::uint32_t place(std::uint32_t vector, int) { return vector; }

  __device__ static int4 seal(int4 vector, int, std::uint32_t) {
    return make_int4(sealed(vector.x), sealed(vector.y), sealed(vector.z), sealed(vector.w));
  }

  __device__ static bool has_come(int4 content, std::uint32_t) {
    return content.x != kEmptyWord && content.y != kEmptyWord && content.z != kEmptyWord &&
           content.w != kEmptyWord;
  }

  __device__ static int4 open(const int4 (&contents)[kSlots]) { return contents[0]; }

 private:
  __device__ static int sealed(int word) { return word == kEmptyWord ? kEmptyWord - 1 : word; }
};

// Sends vector number `number` into a row; `half` as PeerRows::half() gives it.
template <typename Packet>
__device__ void send(int4* row, std::uint32_t half, std::uint32_t number, int4 vector, std::uint32_t call) {
#pragma unroll
  for (int i = 0; i < Packet::kSlots; ++i) {
    put(row + (half + Packet::place(number, i)), Packet::seal(vector, i, call));
  }
}

// The first peer, in their order, one of whose packets has not come.
template <typename Packet, int Ranks>
__device__ int first_missing(const int4 (&contents)[Ranks - 1][Packet::kSlots], std::uint32_t call) {
  int missing = 0;
#pragma unroll
  for (int p = Ranks - 2; p >= 0; --p) {
#pragma unroll
    for (int i = 0; i < Packet::kSlots; ++i) {
      if (!Packet::has_come(contents[p][i], call)) missing = p;
    }
  }
  return missing;
}

// The vector with this number from all peers, in their order. False when the wait was given up.
template <typename Packet, int Ranks>
__device__ bool take(const PeerRows<Ranks>& rows, std::uint32_t half, std::uint32_t number,
                     std::uint32_t call, int rank, const WaitGuard& guard, int4 (&vectors)[Ranks - 1]) {
  int4 contents[Ranks - 1][Packet::kSlots];
  const auto look_at_all = [&] {
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
      for (int i = 0; i < Packet::kSlots; ++i) {
        contents[p][i] = look(rows.incoming[p] + (half + Packet::place(number, i)));
      }
    }
  };
  const auto all_have_come = [&] {
    bool all = true;
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
      for (int i = 0; i < Packet::kSlots; ++i) all = all && Packet::has_come(contents[p][i], call);
    }
    return all;
  };
  const auto look_again = [&] {
    look_at_all();
    return all_have_come();
  };
  look_at_all();
  if (!all_have_come() && !poll_until(look_again, guard)) {
    const int missing = first_missing<Packet, Ranks>(contents, call);
    record_failure(guard, missing < rank ? missing : missing + 1, WaitPlace::packet, call + 1, call);
    return false;
  }
#pragma unroll
  for (int p = 0; p < Ranks - 1; ++p) vectors[p] = Packet::open(contents[p]);
  return true;
}

// Leaves the slots of a vector that was taken empty.
template <typename Packet, int Ranks>
__device__ void leave_empty(const PeerRows<Ranks>& rows, std::uint32_t half, std::uint32_t number) {
#pragma unroll
  for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
    for (int i = 0; i < Packet::kSlots; ++i) {
      empty(rows.incoming[p] + (half + Packet::place(number, i)));
    }
  }
}

}  // namespace ringside::kernels
