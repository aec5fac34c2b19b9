#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/case.hpp"

namespace ringside {

// The two kinds of data that verification sends.
enum class InputSet {
  exact,      // A: small integers; every partial sum is exact in the dtype for up to 16 ranks, in every order
  full_range  // B: ordinary values over a wide range, and some NaN, infinities, -0 and subnormals
};

// Which input: a pure function of these, so that every rank can compute every other's data. Different calls,
// ranks and elements differ, so that a stale, torn or swapped read shows.
struct InputKey {
  InputSet set = InputSet::exact;
  DType dtype = DType::bf16;
  std::uint64_t seed = 0;
  std::uint32_t call = 0;
  int rank = 0;
};

// Fills `target` with elements first .. first + n - 1 of the input, where n = target.size() / element size. 1
// to 2 ns an element.
void fill_input(const InputKey& key, std::size_t first, std::span<std::byte> target);

}  // namespace ringside
