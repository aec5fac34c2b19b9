#include <cstddef>
#include <cstring>
#include <span>

#include "worker/verify/check.hpp"
#include "worker/verify/element.hpp"

namespace ringside {
namespace {

template <typename Element>
void canonicalize(std::span<std::byte> buffer) {
  using F = Format<Element>;
  using Bits = typename F::Bits;
  constexpr auto kMagnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1);
  constexpr auto kMantissa = static_cast<Bits>((Bits{1} << F::kMantissaBits) - 1);
  constexpr auto kInfinity = static_cast<Bits>(kMagnitude & ~kMantissa);
  for (std::size_t at = 0; at + sizeof(Bits) <= buffer.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, buffer.data() + at, sizeof bits);
    if ((bits & kMagnitude) > kInfinity) std::memcpy(buffer.data() + at, &kMagnitude, sizeof kMagnitude);
  }
}

}  // namespace

void canonicalize_nan(DType dtype, std::span<std::byte> buffer) {
  with_element(dtype, [&]<typename Element>() { canonicalize<Element>(buffer); });
}

}  // namespace ringside
