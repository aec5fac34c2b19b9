#include "base/half.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"

using namespace ringside;

namespace {

Fp16 convert(float value, Fp16) {
  return to_fp16(value);
}
Bf16 convert(float value, Bf16) {
  return to_bf16(value);
}

template <typename Half>
Half half(unsigned bits) {
  return {static_cast<std::uint16_t>(bits)};
}

// The bit pattern of infinity; all finite magnitudes lie below it, in the order of their values.
template <typename Half>
constexpr unsigned kInfinity = std::is_same_v<Half, Fp16> ? 0x7c00 : 0x7f80;

// The highest bit of the fraction, which makes a NaN quiet.
template <typename Half>
constexpr unsigned kQuiet = std::is_same_v<Half, Fp16> ? 0x0200 : 0x0040;

constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEMPLATE_TEST_CASE("every value survives the way to float and back", "", Fp16, Bf16) {
  unsigned lost = 0;
  for (unsigned bits = 0; bits <= 0xffff; ++bits) {
    const float value = to_float(half<TestType>(bits));
    if (std::isnan(value)) continue;
    if (convert(value, TestType{}).bits != bits) ++lost;
  }
  CHECK(lost == 0);
}

TEMPLATE_TEST_CASE("values grow with their bit patterns up to infinity", "", Fp16, Bf16) {
  unsigned disorder = 0;
  for (unsigned bits = 0; bits < kInfinity<TestType>; ++bits) {
    if (!(to_float(half<TestType>(bits)) < to_float(half<TestType>(bits + 1)))) ++disorder;
  }
  CHECK(disorder == 0);
  CHECK(to_float(half<TestType>(kInfinity<TestType>)) == kInf);
}

TEMPLATE_TEST_CASE("rounding goes to the nearest value, and to the even one from half way", "", Fp16, Bf16) {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits + 1 < kInfinity<TestType>; ++bits) {
    const float low = to_float(half<TestType>(bits));
    const float high = to_float(half<TestType>(bits + 1));
    const auto middle = static_cast<float>((static_cast<double>(low) + high) / 2);
    if (middle == low || middle == high)
      continue;  // no float lies between the smallest bf16 subnormals' halves
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    for (const unsigned sign : {0u, 0x8000u}) {
      const auto rounded = [&](float value) { return convert(sign == 0 ? value : -value, TestType{}).bits; };
      if (rounded(middle) != (even | sign)) ++wrong;
      if (rounded(std::nextafter(middle, 0.0f)) != (bits | sign)) ++wrong;
      if (rounded(std::nextafter(middle, kInf)) != ((bits + 1) | sign)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("what is too large becomes infinity, from half a unit above the largest value") {
  CHECK(to_fp16(65504.0f).bits == 0x7bff);
  CHECK(to_fp16(65519.996f).bits == 0x7bff);
  CHECK(to_fp16(65520.0f).bits == 0x7c00);
  CHECK(to_fp16(-1e10f).bits == 0xfc00);
  CHECK(to_bf16(std::numeric_limits<float>::max()).bits == 0x7f80);
  CHECK(to_bf16(-kInf).bits == 0xff80);
}

TEST_CASE("what is too small becomes a zero of its sign") {
  CHECK(to_fp16(0x1p-25f).bits == 0);
  CHECK(to_fp16(std::nextafter(0x1p-25f, 1.0f)).bits == 1);
  CHECK(to_fp16(-1e-30f).bits == 0x8000);
  CHECK(to_bf16(-0.0f).bits == 0x8000);
}

TEMPLATE_TEST_CASE("a NaN stays a quiet NaN of its sign, whatever its payload", "", Fp16, Bf16) {
  for (const std::uint32_t bits : {0x7fc00000u, 0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    const TestType narrow = convert(std::bit_cast<float>(bits), TestType{});
    CHECK(std::isnan(to_float(narrow)));
    CHECK((narrow.bits >> 15) == (bits >> 31));
    CHECK((narrow.bits & kQuiet<TestType>) != 0);
  }
}

TEST_CASE("known values have their known patterns") {
  CHECK(to_fp16(1.0f).bits == 0x3c00);
  CHECK(to_fp16(-2.0f).bits == 0xc000);
  CHECK(to_fp16(0.333251953125f).bits == 0x3555);
  CHECK(to_bf16(1.0f).bits == 0x3f80);
  CHECK(to_bf16(3.140625f).bits == 0x4049);
}
