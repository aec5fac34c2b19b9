#pragma once

#include <cstddef>
#include <cstdint>

#include "model/case.hpp"

namespace ringside {

// A reduction as its kernels take it: plain pointers, because a function of the standard library that is
// compiled for wider vectors could be linked into code for every CPU.
struct SumCall {
  std::byte* const* targets;
  std::size_t target_count;
  const float* const* partials;
  std::size_t partial_count;
  const std::byte* const* values;
  std::size_t value_count;
  std::size_t count;  // elements
};

// One set of kernels per vector width, indexed by DType.
struct VectorKernels {
  using Sum = void (*)(const SumCall&);
  Sum to_result[3];
  Sum to_result_streaming[3];
  Sum to_partial[3];
  std::uint64_t (*read_through)(const std::byte* source, std::size_t bytes);
};

extern const VectorKernels kPortableKernels;
#if defined(__x86_64__)
extern const VectorKernels kAvx2Kernels;    // needs AVX2 and F16C
extern const VectorKernels kAvx512Kernels;  // needs AVX-512 F
#endif

}  // namespace ringside
