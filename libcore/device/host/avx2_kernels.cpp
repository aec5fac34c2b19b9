#include "device/host/vector_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#include "device/host/sum_kernel.hpp"

namespace ringside {
namespace {

struct Avx2 {
  using Floats = __m256;
  static constexpr std::size_t kWidth = 8;

  static Floats load_floats(const float* source) { return _mm256_loadu_ps(source); }

  template <DType kDType>
  static Floats load(const std::byte* source) {
    if constexpr (kDType == DType::fp32) return _mm256_loadu_ps(reinterpret_cast<const float*>(source));
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
    if constexpr (kDType == DType::fp16) return _mm256_cvtph_ps(halves);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }

  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }

  // A NaN becomes the one that stands for all.
  static Floats quiet(Floats a) {
    const Floats nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
    return _mm256_blendv_ps(a, nan, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
  }

  template <DType kDType>
  static __m128i round(Floats a) {
    if constexpr (kDType == DType::fp16) return _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT);
    // To nearest, ties to even; without NaNs the carry can't run into the sign.
    const __m256i bits = _mm256_castps_si256(a);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    const __m256i halves = _mm256_srli_epi32(rounded, 16);
    return _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  }

  template <DType kDType>
  static void store(std::byte* target, Floats a) {
    if constexpr (kDType == DType::fp32) {
      _mm256_storeu_ps(reinterpret_cast<float*>(target), a);
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(target), round<kDType>(a));
    }
  }

  template <DType kDType>
  static void stream(std::byte* target, Floats a) {
    if constexpr (kDType == DType::fp32) {
      _mm256_stream_ps(reinterpret_cast<float*>(target), a);
    } else {
      _mm_stream_si128(reinterpret_cast<__m128i*>(target), round<kDType>(a));
    }
  }

  static void fence() { _mm_sfence(); }

  static std::uint64_t read_through(const std::byte* source, std::size_t bytes) {
    __m256i low = _mm256_setzero_si256();
    __m256i high = low;
    for (std::size_t at = 0; at + 64 <= bytes; at += 64) {
      const auto* const block = reinterpret_cast<const __m256i*>(source + at);
      low = _mm256_xor_si256(low, _mm256_loadu_si256(block));
      high = _mm256_xor_si256(high, _mm256_loadu_si256(block + 1));
    }
    std::uint64_t words[4];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), _mm256_xor_si256(low, high));
    return words[0] ^ words[1] ^ words[2] ^ words[3];
  }
};

}  // namespace

const VectorKernels kAvx2Kernels = vector_kernels<Avx2>();

}  // namespace ringside

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
