#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/case.hpp"

namespace ringside {

// The two kinds of data that verification sends.
enum class InputSet {
  // A: integers from -16 to 16 without 0. Every partial sum over up to 16 ranks is an integer of at most 256,
  // which
  // bf16, fp16 and fp32 hold exactly: the sum is the same to the bit in every order and with every rounding.
  // A
  // contribution that is missing or counted twice always shows, as none is 0. One that is stale, early, of
  // another
  // rank or of another element shows in an element with a probability of at least 31/32: the values are
  // independent and uniform, so that for any values of the others at most one of 32 hides the fault. A fault
  // over m
  // elements is missed with 32^-m, a single element of one call with 1/32 and over c calls with 32^-c.
  exact,
  // B: random signs, exponents over the range of the dtype (within one element the ranks' exponents differ by
  // 7 at
  // most, so that roundings matter) and full mantissas. One element of 64 each, the same on every rank, holds
  // NaN and infinities of both signs on some ranks; zeros, most of them -0; subnormals; values of one sign
  // whose
  // sum may overflow. All partial sums of the other elements are finite in every order.
  full_range
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

// Fills `target` with elements first .. first + n - 1 of the input, where n = target.size() / element size.
// About 0.5 ns an element of set A, 2 ns of set B.
void fill_input(const InputKey& key, std::size_t first, std::span<std::byte> target);

// The same from element 0 on, on up to `threads` threads.
void fill_whole_input(const InputKey& key, std::span<std::byte> target, int threads);

}  // namespace ringside
