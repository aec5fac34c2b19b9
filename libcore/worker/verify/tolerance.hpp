#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "strategy/strategy.hpp"
#include "worker/verify/element.hpp"

namespace ringside {

// The distance between neighbouring values of the format at `magnitude`, subnormals included.
template <typename Element>
double ulp(double magnitude) {
  using F = Format<Element>;
  constexpr int kBias = 1023;
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - kBias;
  const int clamped = std::clamp(exponent, F::kMinExponent, F::kMaxExponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(clamped - F::kMantissaBits + kBias) << 52);
}

// What rounding an fp32 number of that magnitude to the format can change at most.
template <typename Element>
double rounding_error(double magnitude) {
  return Format<Element>::kMantissaBits == Format<float>::kMantissaBits ? 0 : ulp<Element>(magnitude) / 2;
}

// From this magnitude on a number rounds to infinity.
template <typename Element>
constexpr double overflow_threshold() {
  double power = 2;
  for (int i = 0; i < Format<Element>::kMaxExponent; ++i) power *= 2;  // 2^(kMaxExponent + 1)
  double half = power;
  for (int i = 0; i < Format<Element>::kMantissaBits + 2; ++i) half /= 2;
  return power - half;
}

// How far a correct result may lie from the exact sum.
struct Tolerance {
  double partials = 0;  // what the sum can be off before it is rounded to the dtype
  double rounding = 0;  // that last rounding
  double total() const { return partials + rounding; }
};

// `sum`: the exact sum of `ranks` finite values; `magnitude`: the sum of their magnitudes.
// n - 1 additions in fp32, in any order, are off by (n - 1) 2^-24 times `magnitude` at most (Rump 2012;
// exact, no higher-order terms; additions with a subnormal result don't round). A strategy that rounds to the
// dtype on the way adds half an ulp for each such rounding, of a partial sum that can't exceed `magnitude` by
// more than those roundings did.
template <typename Element>
Tolerance tolerance(const Numerics& numerics, int ranks, double sum, double magnitude) {
  constexpr double kSumInDouble = 0x1p-48;  // `sum` itself is a sum of up to 16 doubles
  const int roundings = numerics.roundings == Numerics::kEveryAddition ? ranks - 1 : numerics.roundings;
  const int earlier_roundings = numerics.single_rounding ? 0 : std::max(roundings - 1, 0);
  const double largest_partial =
      magnitude * (1 + earlier_roundings * std::ldexp(1.0, -Format<Element>::kMantissaBits));
  Tolerance allowed;
  allowed.partials = ((ranks - 1) * 0x1p-24 + kSumInDouble) * largest_partial +
                     earlier_roundings * rounding_error<Element>(largest_partial);
  allowed.rounding = rounding_error<Element>(std::fabs(sum) + allowed.partials);
  return allowed;
}

}  // namespace ringside
