#include "worker/verify/inputs.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.hpp"
#include "worker/verify/element.hpp"

namespace ringside {
namespace {

// Elements are made in blocks whose starts are multiples of this; loops over a fixed number vectorise.
constexpr std::size_t kBlock = 256;

// Selects one sequence of random words. The second word goes in between the multiplications: were both added
// to the counter, two sequences would be shifted copies of each other.
struct Stream {
  std::uint64_t first;
  std::uint64_t second;
};

std::uint64_t mix(std::uint64_t counter, Stream stream) {  // the finaliser of splitmix64, keyed
  std::uint64_t x = counter * 0x9e3779b97f4a7c15u + stream.first;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x ^= stream.second;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Lane 0 is what all ranks share of an element; each rank has one of its own.
constexpr std::uint32_t kSharedLane = 0;
std::uint32_t rank_lane(int rank) {
  return static_cast<std::uint32_t>(rank) + 1;
}

Stream stream_of(const InputKey& key, std::uint32_t lane) {
  const Stream which{key.seed, std::uint64_t{key.call} << 32 | lane};
  const auto set = static_cast<std::uint64_t>(key.set);
  return {mix(2 * set, which), mix(2 * set + 1, which)};
}

// One random word for each element of a block. Counter-based: no word needs another one.
template <typename Word>
std::array<Word, kBlock> random_words(Stream stream, std::uint64_t block) {
  constexpr std::size_t kCounters = kBlock * sizeof(Word) / sizeof(std::uint64_t);
  std::array<std::uint64_t, kCounters> words;
  for (std::size_t i = 0; i < kCounters; ++i) words[i] = mix(block * kCounters + i, stream);
  return std::bit_cast<std::array<Word, kBlock>>(words);
}

template <typename Element>
void fill_exact(Stream own, std::uint64_t block, std::array<Element, kBlock>& elements) {
  static const auto values = [] {
    std::array<Element, 32> table;
    for (int i = 0; i < 32; ++i)
      table[i] = Format<Element>::round(static_cast<float>(i < 16 ? i - 16 : i - 15));
    return table;
  }();
  const auto words = random_words<std::uint8_t>(own, block);
  for (std::size_t j = 0; j < kBlock; ++j) elements[j] = values[words[j] % 32];
}

// Set B. Of an element the ranks share 16 bits: 6 for its kind, 9 for the exponent, 1 for a sign. Each rank
// has 32 more: 23 for the mantissa, 3 for a choice, 1 for its sign.
enum Kind : std::uint32_t { kNonFinite, kZero, kSubnormal, kHuge, kOrdinary };
Kind kind_of(std::uint32_t shared) {
  return static_cast<Kind>(std::min<std::uint32_t>(shared % 64, kOrdinary));
}
std::uint32_t base_of(std::uint32_t shared, std::uint32_t bases) {
  return (shared >> 6 & 511) * bases >> 9;
}
std::uint32_t shared_sign_of(std::uint32_t shared) {
  return shared >> 15;
}
std::uint32_t choice_of(std::uint32_t own) {
  return own >> 23 & 7;
}
std::uint32_t sign_of(std::uint32_t own) {
  return own >> 31;
}

// An element from its parts. kMaxExponent is the bias too: an exponent of -kMaxExponent makes a subnormal or
// zero, one above kMaxExponent an infinity or NaN.
template <typename Element>
Element compose(std::uint32_t sign, int exponent, std::uint32_t mantissa) {
  using F = Format<Element>;
  constexpr int kSignBit = 8 * sizeof(Element) - 1;
  constexpr std::uint32_t kMantissaMask = (1u << F::kMantissaBits) - 1;
  const auto biased = static_cast<std::uint32_t>(exponent + F::kMaxExponent);
  const std::uint32_t bits = sign << kSignBit | biased << F::kMantissaBits | (mantissa & kMantissaMask);
  return std::bit_cast<Element>(static_cast<typename F::Bits>(bits));
}

template <typename Element>
Element ordinary(std::uint32_t shared, std::uint32_t own) {
  using F = Format<Element>;
  constexpr int kSpread = 7;    // of the ranks' exponents within an element
  constexpr int kHeadroom = 5;  // the sum of 16 values stays a binade below the greatest
  constexpr std::uint32_t kBases = F::kMaxExponent - kHeadroom - kSpread - F::kMinExponent + 1;
  const auto above_least = static_cast<int>(base_of(shared, kBases) + choice_of(own));
  return compose<Element>(sign_of(own), F::kMinExponent + above_least, own);
}

template <typename Element>
Element special(std::uint32_t shared, std::uint32_t own) {
  using F = Format<Element>;
  constexpr std::uint32_t kQuiet = 1u << (F::kMantissaBits - 1);
  const std::uint32_t choice = choice_of(own);
  switch (kind_of(shared)) {
    case kNonFinite:
      if (choice == 0) return compose<Element>(sign_of(own), F::kMaxExponent + 1, own | kQuiet);  // NaN
      if (choice <= 2) return compose<Element>(sign_of(own), F::kMaxExponent + 1, 0);
      return ordinary<Element>(shared, own);
    case kZero:
      return compose<Element>(choice < 6, -F::kMaxExponent, 0);
    case kSubnormal:
      return compose<Element>(sign_of(own), -F::kMaxExponent, own);
    default:  // kHuge: the sign is shared, so that no partial sum overflows unless the whole sum does
      return compose<Element>(shared_sign_of(shared), F::kMaxExponent - static_cast<int>(choice % 4), own);
  }
}

template <typename Element>
void fill_full_range(Stream shared_stream, Stream own_stream, std::uint64_t block,
                     std::array<Element, kBlock>& elements) {
  const auto shared = random_words<std::uint16_t>(shared_stream, block);
  const auto own = random_words<std::uint32_t>(own_stream, block);
  for (std::size_t j = 0; j < kBlock; ++j) elements[j] = ordinary<Element>(shared[j], own[j]);
  // The special ones are looked up first: a branch on each element would cost more than all the rest.
  std::array<std::uint16_t, kBlock> specials;
  std::size_t count = 0;
  for (std::size_t j = 0; j < kBlock; ++j) {
    specials[count] = static_cast<std::uint16_t>(j);
    count += kind_of(shared[j]) != kOrdinary;
  }
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t j = specials[s];
    elements[j] = special<Element>(shared[j], own[j]);
  }
}

template <typename Element>
void fill(const InputKey& key, std::size_t first, std::span<std::byte> target) {
  const Stream shared = stream_of(key, kSharedLane);
  const Stream own = stream_of(key, rank_lane(key.rank));
  std::uint64_t block = first / kBlock;
  std::size_t skip = first % kBlock * sizeof(Element);
  std::array<Element, kBlock> elements;
  while (!target.empty()) {
    if (key.set == InputSet::exact) {
      fill_exact(own, block, elements);
    } else {
      fill_full_range(shared, own, block, elements);
    }
    const auto bytes = std::as_bytes(std::span(elements)).subspan(skip);
    const std::size_t count = std::min(target.size(), bytes.size());
    std::memcpy(target.data(), bytes.data(), count);
    target = target.subspan(count);
    skip = 0;
    ++block;
  }
}

}  // namespace

void fill_input(const InputKey& key, std::size_t first, std::span<std::byte> target) {
  with_element(key.dtype, [&]<typename Element>() { fill<Element>(key, first, target); });
}

void fill_whole_input(const InputKey& key, std::span<std::byte> target, int threads) {
  constexpr std::size_t kLeast = 64 * 1024;  // elements that are worth a thread
  const std::size_t size = element_size(key.dtype);
  parallel_parts(target.size() / size, kLeast, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
    fill_input(key, begin, target.subspan(begin * size, (end - begin) * size));
  });
}

}  // namespace ringside
