#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringside {

// What the 8 bytes at place `index` of a buffer (0, 1, ...; little endian, missing bytes 0) add to its hash.
// For one index different words give different values, so a single changed word always shows; a hash is the
// sum of its words' values, in any order, as threads of a GPU make it (kernels/digest.cu has the same).
constexpr std::uint64_t hash_word(std::uint64_t word, std::uint64_t index) {
  std::uint64_t x = word + (index + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

// 64-bit hash of the bytes, on up to `threads` threads. About 0.2 ns a byte on one.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, int threads = 1);

}  // namespace ringside
