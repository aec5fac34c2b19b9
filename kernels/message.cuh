#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/sum.cuh"

namespace ringside::kernels {

// A rank's message as a row of 16-byte vectors. The last one may be short; it is filled up with zeros.
// Vectors are moved in one access where alignment and length allow, else element by element.
template <typename T>
class Message {
 public:
  // Put together on the host, where nobody waits for it.
  Message(const void* input, void* output, std::size_t count)
      : input_(static_cast<const T*>(input)),
        output_(static_cast<T*>(output)),
        count_(count),
        whole_(aligned(input) && aligned(output) ? static_cast<std::uint32_t>(count / kElements) : 0),
        vectors_(static_cast<std::uint32_t>((count + kElements - 1) / kElements)) {}

  __host__ __device__ std::uint32_t vectors() const { return vectors_; }

  // Zeros behind the end.
  __device__ int4 load(std::uint32_t vector) const {
    return vector < whole_ ? reinterpret_cast<const int4*>(input_)[vector]
                           : load_elements(input_, count_, vector);
  }

  __device__ void store(std::uint32_t vector, int4 bits) const { store(output_, vector, bits); }

  // To a peer's output, which is aligned as the own one is.
  __device__ void store(void* output, std::uint32_t vector, int4 bits) const {
    if (vector < whole_) {
      static_cast<int4*>(output)[vector] = bits;
    } else {
      store_elements(static_cast<T*>(output), count_, vector, bits);
    }
  }

 private:
  static constexpr int kElements = Vector<T>::kElements;

  static bool aligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

  // The rare cases stay out of line, and take no reference to the message: it would be put into memory.
  __device__ static __noinline__ int4 load_elements(const T* input, std::size_t count, std::uint32_t vector) {
    Vector<T> value;
    value.bits = make_int4(0, 0, 0, 0);
    const std::size_t first = std::size_t{vector} * kElements;
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      if (first + e < count) value.element[e] = input[first + e];
    }
    return value.bits;
  }

  __device__ static __noinline__ void store_elements(T* output, std::size_t count, std::uint32_t vector,
                                                     int4 bits) {
    Vector<T> value;
    value.bits = bits;
    const std::size_t first = std::size_t{vector} * kElements;
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      if (first + e < count) output[first + e] = value.element[e];
    }
  }

  const T* input_;
  T* output_;
  std::size_t count_;
  std::uint32_t whole_;
  std::uint32_t vectors_;
};

// The sum over ranks of one vector: in fp32, in the order of ranks, rounded once. `others` are the peers'
// terms, in the order of ranks without this one.
template <typename T, int Ranks>
__device__ int4 sum_in_rank_order(int rank, int4 own, const int4 (&others)[Ranks - 1]) {
  Vector<T> terms[Ranks];
  terms[0].bits = rank == 0 ? own : others[0];
#pragma unroll
  for (int r = 1; r < Ranks; ++r) {
    terms[r].bits = r > rank ? others[r - 1] : own;
    if (r < Ranks - 1 && r < rank) terms[r].bits = others[r < Ranks - 1 ? r : 0];
  }
  Vector<T> total;
#pragma unroll
  for (int e = 0; e < Vector<T>::kElements; ++e) {
    float sum = widen(terms[0].element[e]);
#pragma unroll
    for (int r = 1; r < Ranks; ++r) sum += widen(terms[r].element[e]);
    total.element[e] = narrow<T>(sum);
  }
  return total.bits;
}

}  // namespace ringside::kernels
