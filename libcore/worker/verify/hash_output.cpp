#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"
#include "worker/verify/check.hpp"
#include "worker/verify/element.hpp"

namespace ringside {
namespace {

constexpr std::uint64_t kWordMultiplier = 0xbf58476d1ce4e5b9u;
constexpr std::uint64_t kStateMultiplier = 0x9e3779b97f4a7c15u;
constexpr std::size_t kPart = std::size_t{1} << 20;  // bytes
constexpr std::size_t kLanes = 4;  // independent chains, so that the multiplications overlap

// For a given state different words give different states: a change in one word is never lost on the way. The
// rotation between the multiplications carries a word's high bits, where the signs are, into all bits.
std::uint64_t step(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state + word * kWordMultiplier, 31) * kStateMultiplier;
}

std::uint64_t hash_part(std::span<const std::byte> output) {
  std::array<std::uint64_t, kLanes> lanes = {output.size(), 1, 2, 3};
  std::array<std::uint64_t, kLanes> words{};
  while (!output.empty()) {
    const std::size_t bytes = std::min(output.size(), sizeof words);
    if (bytes < sizeof words) words = {};
    std::memcpy(words.data(), output.data(), bytes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = step(lanes[lane], words[lane]);
    output = output.subspan(bytes);
  }
  std::uint64_t hash = 0;
  for (const std::uint64_t lane : lanes) hash = step(hash, lane);
  return hash ^ (hash >> 32);
}

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

// A hash of the hashes of its parts, which don't depend on the number of threads.
std::uint64_t hash_output(std::span<const std::byte> output, int threads) {
  std::vector<std::uint64_t> parts((output.size() + kPart - 1) / kPart);
  parallel_parts(parts.size(), 1, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      parts[p] = hash_part(output.subspan(p * kPart, std::min(kPart, output.size() - p * kPart)));
    }
  });
  return hash_part(std::as_bytes(std::span(parts)));
}

void canonicalize_nan(DType dtype, std::span<std::byte> buffer) {
  with_element(dtype, [&]<typename Element>() { canonicalize<Element>(buffer); });
}

}  // namespace ringside
