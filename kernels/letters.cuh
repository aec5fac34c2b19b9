#pragma once

#include "kernels/mailboxes.cuh"
#include "kernels/wait.cuh"

namespace ringside::kernels {

// How a 16-byte vector travels through mailboxes. A kind of letter has
//
//   kBoxes                     mailboxes to a vector
//   place(vector, i)           where in a slot the i-th mailbox of the vector with this number is
//   seal(vector, i, call)      what is put into it
//   has_come(content, call)    whether what was put there has come
//   open(contents)             the vector

// One mailbox to a vector, which says itself that it has come: an empty mailbox has all bits set, and no word
// of a sealed vector has. All bits set is a NaN in every element type (two of them in a word of 16-bit
// elements); it is replaced by the NaN whose last bit is clear. No sum notices, since a sum with a NaN is
// always the one canonical NaN.
struct BareLetter {
  static constexpr int kBoxes = 1;

  __device__ static std::uint32_t place(std::uint32_t vector, int) { return vector; }

  __device__ static int4 seal(int4 vector, int, std::uint32_t) {
    return make_int4(sealed(vector.x), sealed(vector.y), sealed(vector.z), sealed(vector.w));
  }

  __device__ static bool has_come(int4 content, std::uint32_t) {
    return content.x != kEmptyWord && content.y != kEmptyWord && content.z != kEmptyWord &&
           content.w != kEmptyWord;
  }

  __device__ static int4 open(const int4 (&contents)[kBoxes]) { return contents[0]; }

 private:
  __device__ static int sealed(int word) { return word == kEmptyWord ? kEmptyWord - 1 : word; }
};

// Sends vector number `number` into a slot; `half` as Slots::half() gives it.
template <typename Letter>
__device__ void send(int4* slot, std::uint32_t half, std::uint32_t number, int4 vector, std::uint32_t call) {
#pragma unroll
  for (int i = 0; i < Letter::kBoxes; ++i) {
    put(slot + (half + Letter::place(number, i)), Letter::seal(vector, i, call));
  }
}

// The first peer, in their order, one of whose letters has not come.
template <typename Letter, int Ranks>
__device__ int first_missing(const int4 (&contents)[Ranks - 1][Letter::kBoxes], std::uint32_t call) {
  int missing = 0;
#pragma unroll
  for (int p = Ranks - 2; p >= 0; --p) {
#pragma unroll
    for (int i = 0; i < Letter::kBoxes; ++i) {
      if (!Letter::has_come(contents[p][i], call)) missing = p;
    }
  }
  return missing;
}

// The vector with this number from all peers, in their order. False when the wait was given up.
template <typename Letter, int Ranks>
__device__ bool take(const Slots<Ranks>& slots, std::uint32_t half, std::uint32_t number, std::uint32_t call,
                     int rank, const WaitGuard& guard, int4 (&vectors)[Ranks - 1]) {
  int4 contents[Ranks - 1][Letter::kBoxes];
  const auto look_at_all = [&] {
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
      for (int i = 0; i < Letter::kBoxes; ++i) {
        contents[p][i] = look(slots.incoming[p] + (half + Letter::place(number, i)));
      }
    }
  };
  const auto all_have_come = [&] {
    bool all = true;
#pragma unroll
    for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
      for (int i = 0; i < Letter::kBoxes; ++i) all = all && Letter::has_come(contents[p][i], call);
    }
    return all;
  };
  const auto look_again = [&] {
    look_at_all();
    return all_have_come();
  };
  look_at_all();
  if (!all_have_come() && !poll_until(look_again, guard)) {
    const int missing = first_missing<Letter, Ranks>(contents, call);
    record_failure(guard, missing < rank ? missing : missing + 1, WaitPlace::mailbox, call + 1, call);
    return false;
  }
#pragma unroll
  for (int p = 0; p < Ranks - 1; ++p) vectors[p] = Letter::open(contents[p]);
  return true;
}

// Leaves the mailboxes of a vector that was taken empty.
template <typename Letter, int Ranks>
__device__ void leave_empty(const Slots<Ranks>& slots, std::uint32_t half, std::uint32_t number) {
#pragma unroll
  for (int p = 0; p < Ranks - 1; ++p) {
#pragma unroll
    for (int i = 0; i < Letter::kBoxes; ++i) {
      empty(slots.incoming[p] + (half + Letter::place(number, i)));
    }
  }
}

}  // namespace ringside::kernels
