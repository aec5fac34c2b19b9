#include "device/host/vector_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
// The intrinsics of g++ 12 begin with an uninitialised vector on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f")
#endif

#include "device/host/sum_kernel.hpp"

namespace ringside {
namespace {

struct Avx512 {
  using Floats = __m512;
  static constexpr std::size_t kWidth = 16;

  static Floats load_floats(const float* source) { return _mm512_loadu_ps(source); }

  template <DType kDType>
  static Floats load(const std::byte* source) {
    if constexpr (kDType == DType::fp32) return _mm512_loadu_ps(source);
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source));
    if constexpr (kDType == DType::fp16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }

  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }

  // A NaN becomes the one that stands for all.
  static Floats quiet(Floats a) {
    const __mmask16 nan = _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
    return _mm512_castsi512_ps(_mm512_mask_set1_epi32(_mm512_castps_si512(a), nan, 0x7fc00000));
  }

  template <DType kDType>
  static __m256i round(Floats a) {
    if constexpr (kDType == DType::fp16) return _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT);
    // To nearest, ties to even; without NaNs the carry can't run into the sign.
    const __m512i bits = _mm512_castps_si512(a);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16));
  }

  template <DType kDType>
  static void store(std::byte* target, Floats a) {
    if constexpr (kDType == DType::fp32) {
      _mm512_storeu_ps(target, a);
    } else {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), round<kDType>(a));
    }
  }

  template <DType kDType>
  static void stream(std::byte* target, Floats a) {
    if constexpr (kDType == DType::fp32) {
      _mm512_stream_ps(reinterpret_cast<float*>(target), a);
    } else {
      _mm256_stream_si256(reinterpret_cast<__m256i*>(target), round<kDType>(a));
    }
  }

  static void fence() { _mm_sfence(); }

  static std::uint64_t read_through(const std::byte* source, std::size_t bytes) {
    __m512i even = _mm512_setzero_si512();
    __m512i odd = even;
    std::size_t at = 0;
    for (; at + 128 <= bytes; at += 128) {
      even = _mm512_xor_si512(even, _mm512_loadu_si512(source + at));
      odd = _mm512_xor_si512(odd, _mm512_loadu_si512(source + at + 64));
    }
    if (at + 64 <= bytes) even = _mm512_xor_si512(even, _mm512_loadu_si512(source + at));
    std::uint64_t words[8];
    _mm512_storeu_si512(words, _mm512_xor_si512(even, odd));
    return words[0] ^ words[1] ^ words[2] ^ words[3] ^ words[4] ^ words[5] ^ words[6] ^ words[7];
  }
};

}  // namespace

const VectorKernels kAvx512Kernels = vector_kernels<Avx512>();

}  // namespace ringside

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
