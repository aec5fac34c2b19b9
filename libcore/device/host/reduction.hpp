#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/case.hpp"

namespace ringside {

// The vector instructions that sums are made with. All give the same bits.
enum class Simd { portable, avx2, avx512 };

std::string_view to_string(Simd simd);
std::vector<Simd> usable_simd();  // on this CPU, the best last

// What is added: first the fp32 partial sums, then the values of the dtype, each in the order given. At least
// one.
struct Terms {
  std::span<const float* const> partials;
  std::span<const std::byte* const> values;
};

// Sums of arrays of one dtype in fp32: ((t0 + t1) + t2) + ..., element by element, nothing flushed to zero. A
// sum that is not a number is stored as the quiet NaN with an empty payload, so that the bits of a result
// don't depend on which NaN an instruction prefers. Arrays need no alignment; a target may be one of the
// terms, else it must not overlap any.
class Reduction {
 public:
  explicit Reduction(DType dtype, Simd simd = usable_simd().back());

  // Stores the sum, rounded once to the dtype, in every target.
  void to_result(std::span<std::byte* const> targets, const Terms& terms, std::size_t count) const;
  void to_result(std::byte* target, const Terms& terms, std::size_t count) const {
    to_result(std::span<std::byte* const>(&target, 1), terms, count);
  }

  // The same for results that won't be read soon: they go around the caches. All of it is ordered before the
  // caller's next release, as ordinary stores are.
  void to_result_streaming(std::span<std::byte* const> targets, const Terms& terms, std::size_t count) const;

  // Stores the sum in fp32.
  void to_partial(float* target, const Terms& terms, std::size_t count) const;

 private:
  DType dtype_;
  Simd simd_;
};

// Reads all whole 64-byte blocks and returns something that depends on each: how fast a rank can read at all.
std::uint64_t read_through(const std::byte* source, std::size_t bytes);

}  // namespace ringside
