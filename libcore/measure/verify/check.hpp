#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "measure/verify/inputs.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// The first element that is not what it must be.
struct Mismatch {
  std::uint32_t call = 0;
  int rank = 0;  // on which rank it was seen
  std::size_t element = 0;
  double got = 0;
  double expected = 0;
  double allowed = 0;  // absolute error that would have passed; 0 in set A
  std::string
      text;  // "call 3, rank 1, element 70: got 12, expected 14 (one contribution of rank 0 is missing)"
};

// Compares one call's output with the sum over `ranks` inputs with that key (key.rank: the rank that holds
// `output`). Set A: bitwise. Set B: against the sum in double; half an ulp plus the fp32 summation bound
// where `numerics` declare a single rounding, else their declared bound; NaN exactly where it must be.
std::optional<Mismatch> check_output(const InputKey& key, int ranks, const Numerics& numerics,
                                     std::span<const std::byte> output);

// 64-bit hash of the output's bits, to compare ranks with each other.
std::uint64_t hash_output(std::span<const std::byte> output);

// What outputs are filled with before a call: a pattern that no result of set A has.
inline constexpr std::byte kPoison{0xCB};

}  // namespace ringside
