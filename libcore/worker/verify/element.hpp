#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "base/half.hpp"
#include "model/case.hpp"

namespace ringside {

// The floating-point format behind a dtype, for code that is written once for all of them. An element is 1
// sign bit, an exponent and kMantissaBits stored bits of mantissa; normal values lie from 2^kMinExponent up
// to below 2^(kMaxExponent + 1). Every value of each format is a float.
template <typename Element>
struct Format;

template <>
struct Format<Bf16> {
  using Bits = std::uint16_t;
  static constexpr int kMantissaBits = 7;
  static constexpr int kMinExponent = -126;
  static constexpr int kMaxExponent = 127;
  static Bf16 round(float value) { return to_bf16(value); }
};

template <>
struct Format<Fp16> {
  using Bits = std::uint16_t;
  static constexpr int kMantissaBits = 10;
  static constexpr int kMinExponent = -14;
  static constexpr int kMaxExponent = 15;
  static Fp16 round(float value) { return to_fp16(value); }
};

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr int kMinExponent = -126;
  static constexpr int kMaxExponent = 127;
  static float round(float value) { return value; }
};

template <typename Element>
typename Format<Element>::Bits bits_of(Element element) {
  return std::bit_cast<typename Format<Element>::Bits>(element);
}

// Calls work.operator()<Element>() with the element type of `dtype`.
template <typename Work>
auto with_element(DType dtype, Work&& work) {
  switch (dtype) {
    case DType::bf16:
      return std::forward<Work>(work).template operator()<Bf16>();
    case DType::fp16:
      return std::forward<Work>(work).template operator()<Fp16>();
    case DType::fp32:
      break;
  }
  return std::forward<Work>(work).template operator()<float>();
}

}  // namespace ringside
