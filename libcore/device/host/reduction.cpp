#include "device/host/reduction.hpp"

#include <array>

#include "device/host/vector_kernels.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ringside {
namespace {

#if defined(__x86_64__)
bool has_f16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

const VectorKernels& kernels(Simd simd) {
#if defined(__x86_64__)
  if (simd == Simd::avx512) return kAvx512Kernels;
  if (simd == Simd::avx2) return kAvx2Kernels;
#endif
  static_cast<void>(simd);
  return kPortableKernels;
}

std::size_t index(DType dtype) {
  return static_cast<std::size_t>(dtype);
}

SumCall sum_call(std::span<std::byte* const> targets, const Terms& terms, std::size_t count) {
  return {
      targets.data(),      targets.size(), terms.partials.data(), terms.partials.size(), terms.values.data(),
      terms.values.size(), count};
}

}  // namespace

std::string_view to_string(Simd simd) {
  constexpr std::array<std::string_view, 3> names = {"portable", "AVX2", "AVX-512"};
  return names[static_cast<std::size_t>(simd)];
}

std::vector<Simd> usable_simd() {
  std::vector<Simd> usable = {Simd::portable};
#if defined(__x86_64__)
  // These builtins also ask whether the system saves the registers.
  if (__builtin_cpu_supports("avx2") && has_f16c()) usable.push_back(Simd::avx2);
  if (__builtin_cpu_supports("avx512f")) usable.push_back(Simd::avx512);
#endif
  return usable;
}

Reduction::Reduction(DType dtype, Simd simd) : dtype_(dtype), simd_(simd) {}

void Reduction::to_result(std::span<std::byte* const> targets, const Terms& terms, std::size_t count) const {
  kernels(simd_).to_result[index(dtype_)](sum_call(targets, terms, count));
}

void Reduction::to_result_streaming(std::span<std::byte* const> targets, const Terms& terms,
                                    std::size_t count) const {
  kernels(simd_).to_result_streaming[index(dtype_)](sum_call(targets, terms, count));
}

void Reduction::to_partial(float* target, const Terms& terms, std::size_t count) const {
  std::byte* const bytes = reinterpret_cast<std::byte*>(target);
  const std::span<std::byte* const> targets(&bytes, 1);
  kernels(simd_).to_partial[index(dtype_)](sum_call(targets, terms, count));
}

std::uint64_t read_through(const std::byte* source, std::size_t bytes) {
  static const Simd simd = usable_simd().back();
  return kernels(simd).read_through(source, bytes);
}

}  // namespace ringside
