#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>

namespace ringside::kernels {

// 16 bytes of elements. They are moved as one int4: a copy of the elements might be made of 2-byte loads.
template <typename T>
union Vector {
  static constexpr int kElements = 16 / sizeof(T);
  int4 bits;
  T element[kElements];
  __device__ Vector() {}
};

__device__ inline float widen(float value) {
  return value;
}
__device__ inline float widen(__half value) {
  return __half2float(value);
}
__device__ inline float widen(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

template <typename T>
__device__ T narrow(float value);
template <>
__device__ inline float narrow<float>(float value) {
  return value;
}
template <>
__device__ inline __half narrow<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 narrow<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

// A message as pieces of work: 16-byte vectors, as far as alignment and length allow, then single elements.
// All ranks cut it alike, as a buffer lies at the same offset of equally aligned memory everywhere.
struct Pieces {
  std::size_t vectors;
  std::size_t total;  // vectors, then elements
};

template <typename T>
__device__ Pieces cut(std::size_t count, const void* input, const void* output) {
  const bool aligned =
      ((reinterpret_cast<std::uintptr_t>(input) | reinterpret_cast<std::uintptr_t>(output)) & 15u) == 0;
  const std::size_t vectors = aligned ? count / Vector<T>::kElements : 0;
  return {vectors, vectors + (count - vectors * Vector<T>::kElements)};
}

// The sum of one piece over ranks, while it is in registers. Added in fp32, in the order of ranks; rounded
// once. inputs[r] is rank r's message.
template <typename T>
struct PieceSum {
  Vector<T> value;

  // Of a piece that is a vector. The loads of all ranks are independent of each other, so they are under way
  // together.
  template <int Ranks>
  __device__ void load_vector(const T* const (&inputs)[Ranks], std::size_t piece) {
    Vector<T> terms[Ranks];
#pragma unroll
    for (int r = 0; r < Ranks; ++r) terms[r].bits = reinterpret_cast<const int4*>(inputs[r])[piece];
#pragma unroll
    for (int e = 0; e < Vector<T>::kElements; ++e) {
      float sum = widen(terms[0].element[e]);
#pragma unroll
      for (int r = 1; r < Ranks; ++r) sum += widen(terms[r].element[e]);
      value.element[e] = narrow<T>(sum);
    }
  }

  // Of any piece; nothing behind the last one.
  template <int Ranks>
  __device__ void load(const T* const (&inputs)[Ranks], const Pieces& pieces, std::size_t piece) {
    if (piece < pieces.vectors) return load_vector(inputs, piece);
    if (piece >= pieces.total) return;
    const std::size_t element = single(pieces, piece);
    float sum = widen(inputs[0][element]);
#pragma unroll
    for (int r = 1; r < Ranks; ++r) sum += widen(inputs[r][element]);
    value.element[0] = narrow<T>(sum);
  }

  __device__ void store(T* output, const Pieces& pieces, std::size_t piece) const {
    if (piece < pieces.vectors) {
      reinterpret_cast<int4*>(output)[piece] = value.bits;
    } else if (piece < pieces.total) {
      output[single(pieces, piece)] = value.element[0];
    }
  }

 private:
  __device__ static std::size_t single(const Pieces& pieces, std::size_t piece) {
    return pieces.vectors * Vector<T>::kElements + (piece - pieces.vectors);
  }
};

// What one thread holds of a chunk: N pieces, `stride` apart.
template <typename T, int N>
struct ChunkSum {
  PieceSum<T> sums[N];

  // `whole`: all pieces of the chunk are vectors; then no branch stands between the loads.
  template <int Ranks>
  __device__ void load(const T* const (&inputs)[Ranks], const Pieces& pieces, std::size_t first,
                       std::size_t stride, bool whole) {
    if (whole) {
#pragma unroll
      for (int p = 0; p < N; ++p) sums[p].load_vector(inputs, first + p * stride);
    } else {
#pragma unroll
      for (int p = 0; p < N; ++p) sums[p].load(inputs, pieces, first + p * stride);
    }
  }

  __device__ void store(T* output, const Pieces& pieces, std::size_t first, std::size_t stride) const {
#pragma unroll
    for (int p = 0; p < N; ++p) sums[p].store(output, pieces, first + p * stride);
  }
};

}  // namespace ringside::kernels
