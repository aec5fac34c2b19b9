#include "worker/verify/inputs.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "support/catch.hpp"
#include "support/elements.hpp"
#include "worker/verify/check.hpp"
#include "worker/verify/element.hpp"

using namespace ringside;
using test::dtype_of;
using test::input;
using test::poisoned;

namespace {

constexpr std::size_t kCount = 1 << 16;

InputKey exact_key(std::uint32_t call, int rank, std::uint64_t seed = 42) {
  return {.set = InputSet::exact, .dtype = DType::fp32, .seed = seed, .call = call, .rank = rank};
}

template <typename Element>
InputKey full_range_key(int rank) {
  return {.set = InputSet::full_range, .dtype = dtype_of<Element>, .seed = 9, .call = 3, .rank = rank};
}

// The share of elements in which two inputs agree.
double agreement(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("set A is uniform over the integers from -16 to 16 without 0") {
  std::map<float, int> frequency;
  for (const float value : input<float>(exact_key(0, 0), kCount)) ++frequency[value];
  CHECK(frequency.size() == 32);
  for (const auto& [value, times] : frequency) {
    INFO("value " << value);
    CHECK(value == std::trunc(value));
    CHECK(std::fabs(value) >= 1);
    CHECK(std::fabs(value) <= 16);
    CHECK(times == Catch::Approx(kCount / 32.0).epsilon(0.1));  // 4.5 standard deviations
  }
}

TEST_CASE("set A has the same numbers in every dtype") {
  const auto expected = input<float>(exact_key(5, 2), 1000);
  InputKey key = exact_key(5, 2);
  key.dtype = DType::bf16;
  const auto bf16 = input<Bf16>(key, 1000);
  key.dtype = DType::fp16;
  const auto fp16 = input<Fp16>(key, 1000);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(to_float(bf16[i]) == expected[i]);
    REQUIRE(to_float(fp16[i]) == expected[i]);
  }
}

TEST_CASE("inputs of another call, rank, seed or element agree in one element of 32 only") {
  const auto base = input<float>(exact_key(7, 1), kCount);
  const auto expected = Catch::Approx(1.0 / 32).margin(0.004);  // 6 standard deviations
  CHECK(agreement(base, input<float>(exact_key(8, 1), kCount)) == expected);
  CHECK(agreement(base, input<float>(exact_key(7, 2), kCount)) == expected);
  CHECK(agreement(base, input<float>(exact_key(7, 1, 43), kCount)) == expected);
  CHECK(agreement(base, input<float>(exact_key(7, 1), kCount, 1)) == expected);
  CHECK(agreement(base, input<float>(exact_key(1, 7), kCount)) == expected);
}

TEST_CASE("the sum over ranks is independent from call to call") {
  for (const int ranks : {2, 4, 16}) {
    std::vector<float> now(kCount), before(kCount);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto a = input<float>(exact_key(8, rank), kCount);
      const auto b = input<float>(exact_key(7, rank), kCount);
      for (std::size_t i = 0; i < kCount; ++i) {
        now[i] += a[i];
        before[i] += b[i];
      }
    }
    CHECK(agreement(now, before) <= 1.0 / 32);
  }
}

TEST_CASE("no result of set A looks like poison") {
  for (const float poison : {to_float(poisoned<Bf16>()), to_float(poisoned<Fp16>()), poisoned<float>()}) {
    CHECK((std::fabs(poison) > 256 || poison != std::trunc(poison)));
  }
}

TEST_CASE("an input filled in pieces is the input filled at once") {
  for (const InputSet set : {InputSet::exact, InputSet::full_range}) {
    const InputKey key{.set = set, .dtype = DType::bf16, .seed = 1, .call = 2, .rank = 3};
    const auto whole = input<Bf16>(key, 2000);
    for (const std::size_t first : {0, 1, 255, 256, 257, 1000}) {
      const auto piece = input<Bf16>(key, 700, first);
      CHECK(std::memcmp(piece.data(), whole.data() + first, piece.size() * sizeof(Bf16)) == 0);
    }
  }
}

TEMPLATE_TEST_CASE("set B has each special kind in one element of 64, the same ones on every rank", "", Bf16,
                   Fp16, float) {
  constexpr int kRanks = 16;
  std::vector<std::vector<TestType>> inputs;
  for (int rank = 0; rank < kRanks; ++rank)
    inputs.push_back(input<TestType>(full_range_key<TestType>(rank), kCount));

  const double smallest_normal = std::ldexp(1.0, Format<TestType>::kMinExponent);
  int nan = 0, infinite = 0, zeros = 0, negative_zeros = 0, subnormal = 0, huge = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    bool has_nan = false, has_infinity = false, all_zero = true, all_tiny = true, all_same_sign = true;
    double magnitude = 0;
    for (const auto& values : inputs) {
      const double value = to_float(values[i]);
      has_nan |= std::isnan(value);
      has_infinity |= std::isinf(value);
      all_zero &= value == 0;
      negative_zeros += value == 0 && std::signbit(value);
      all_tiny &= std::fabs(value) < smallest_normal;
      all_same_sign &= std::signbit(value) == std::signbit(to_float(inputs[0][i]));
      magnitude += std::fabs(value);
    }
    nan += has_nan;
    infinite += has_infinity;
    zeros += all_zero;
    subnormal += all_tiny && !all_zero;
    huge += magnitude > std::ldexp(1.0, Format<TestType>::kMaxExponent + 1) && !has_nan && !has_infinity;
    if (magnitude >= std::ldexp(1.0, Format<TestType>::kMaxExponent + 1) && std::isfinite(magnitude)) {
      REQUIRE(all_same_sign);
    }
  }
  const auto one_of_64 = Catch::Approx(kCount / 64.0).epsilon(0.16);  // 5 standard deviations
  CHECK(zeros == one_of_64);
  CHECK(subnormal == one_of_64);
  CHECK(huge == one_of_64);
  CHECK(nan == Catch::Approx(kCount / 64.0 * (1 - std::pow(7.0 / 8, kRanks))).epsilon(0.16));
  CHECK(infinite == Catch::Approx(kCount / 64.0 * (1 - std::pow(6.0 / 8, kRanks))).epsilon(0.16));
  CHECK(negative_zeros > zeros * kRanks / 2);
}

TEMPLATE_TEST_CASE("ordinary values of set B spread over the exponents and use the whole mantissa", "", Bf16,
                   Fp16, float) {
  std::map<int, int> exponents;
  typename Format<TestType>::Bits mantissa_bits = 0;
  for (const TestType element : input<TestType>(full_range_key<TestType>(1), kCount)) {
    const double value = to_float(element);
    if (value != 0 && std::isfinite(value)) ++exponents[std::ilogb(value)];
    mantissa_bits = static_cast<typename Format<TestType>::Bits>(mantissa_bits | bits_of(element));
  }
  CHECK(exponents.begin()->first < Format<TestType>::kMinExponent);
  for (int e = Format<TestType>::kMinExponent; e <= Format<TestType>::kMaxExponent - 5; ++e) {
    INFO("exponent " << e);
    CHECK(exponents[e] > 0);
  }
  CHECK(static_cast<typename Format<TestType>::Bits>(~mantissa_bits) == 0);
}
