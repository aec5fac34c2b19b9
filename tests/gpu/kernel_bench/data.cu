#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "gpu/kernel_bench/data.hpp"

namespace ringside::bench {
namespace {

constexpr int kThreads = 256;
constexpr unsigned kBlocksPerCall = 32;

__device__ std::uint32_t mixed(std::uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352du;
  value ^= value >> 15;
  value *= 0x846ca68bu;
  return value ^ (value >> 16);
}

__device__ std::uint32_t special16(kernels::Element element, std::uint32_t which) {
  const bool bf16 = element == kernels::Element::bf16;
  const std::uint32_t infinity = bf16 ? 0x7f80u : 0x7c00u;
  switch (which % 8) {
    case 0:
    case 1:
    case 2:
      return 0xffffu;
    case 3:
      return 0x8000u;
    case 4:
      return 0u;
    case 5:
      return infinity | (which >> 16 & 0x8000u);
    case 6:
      return infinity + 1 + (which >> 20 & 7u);
    default:
      return which >> 16 & 0x803fu;  // subnormal
  }
}

// The bits of one input element. Pairs of special elements are common, so that words of all ones are.
__device__ std::uint32_t input_bits(kernels::Element element, std::uint32_t burst, std::uint32_t call,
                                    std::uint32_t rank, std::size_t index) {
  const std::uint32_t key = mixed(burst * 0x9e3779b9u + call * 0x85ebca6bu + rank * 0xc2b2ae35u + 1);
  const std::uint32_t random = mixed(key ^ static_cast<std::uint32_t>(index));
  const bool special = (mixed(key + static_cast<std::uint32_t>(index / 4)) & 15u) == 0;
  if (element != kernels::Element::fp32) return special ? special16(element, random) : random & 0xffffu;
  if (!special) return random;
  switch (random % 6) {
    case 0:
    case 1:
      return 0xffffffffu;
    case 2:
      return 0x80000000u;
    case 3:
      return 0x7f800000u | (random & 0x80000000u);
    case 4:
      return 0x7f800001u + (random >> 28);
    default:
      return random & 0x807fffffu;
  }
}

__device__ float as_float(kernels::Element element, std::uint32_t bits) {
  switch (element) {
    case kernels::Element::bf16:
      return __uint_as_float(bits << 16);
    case kernels::Element::fp16:
      return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    default:
      return __uint_as_float(bits);
  }
}

__device__ std::uint32_t as_bits(kernels::Element element, float value) {
  switch (element) {
    case kernels::Element::bf16:
      return __bfloat16_as_ushort(__float2bfloat16_rn(value));
    case kernels::Element::fp16:
      return __half_as_ushort(__float2half_rn(value));
    default:
      return __float_as_uint(value);
  }
}

__device__ void store(kernels::Element element, void* target, std::size_t index, std::uint32_t bits) {
  if (element == kernels::Element::fp32) {
    static_cast<std::uint32_t*>(target)[index] = bits;
  } else {
    static_cast<std::uint16_t*>(target)[index] = static_cast<std::uint16_t>(bits);
  }
}

__device__ std::uint32_t load(kernels::Element element, const void* source, std::size_t index) {
  return element == kernels::Element::fp32 ? static_cast<const std::uint32_t*>(source)[index]
                                           : static_cast<const std::uint16_t*>(source)[index];
}

__global__ void advance(std::uint32_t* burst) {
  ++*burst;
}

__global__ void fill(const CallData* calls, int rank, const std::uint32_t* burst) {
  const CallData call = calls[blockIdx.y];
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < call.count; i += step) {
    if (call.output != call.input) store(call.element, call.output, i, 0xcbcbcbcbu);
    store(call.element, call.input, i,
          input_bits(call.element, *burst, blockIdx.y, static_cast<std::uint32_t>(rank), i));
  }
}

__global__ void check_outputs(const CallData* calls, int ranks, const std::uint32_t* burst,
                              Verdict* verdict) {
  const CallData call = calls[blockIdx.y];
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long checked = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < call.count; i += step) {
    float sum = as_float(call.element, input_bits(call.element, *burst, blockIdx.y, 0, i));
    for (int r = 1; r < ranks; ++r) {
      sum += as_float(call.element,
                      input_bits(call.element, *burst, blockIdx.y, static_cast<std::uint32_t>(r), i));
    }
    const std::uint32_t expected = as_bits(call.element, sum);
    const std::uint32_t got = load(call.element, call.output, i);
    ++checked;
    if (got == expected || atomicAdd(&verdict->wrong, 1ull) != 0) continue;
    verdict->burst = *burst;
    verdict->call = blockIdx.y;
    verdict->element = i;
    verdict->got = got;
    verdict->expected = expected;
  }
  if (checked != 0) atomicAdd(&verdict->checked, checked);
}

__global__ void random_delay(const std::uint32_t* burst, std::uint32_t salt, std::uint32_t longest_ns) {
  const std::uint32_t duration = mixed(*burst * 0x9e3779b9u + salt) % longest_ns;
  std::uint64_t start = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < duration);
}

__global__ void compute(float* data, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = data[i] * 0.999f + 1.0f;
  }
}

}  // namespace

void launch_fill(const CallData* calls, int count, int rank, std::uint32_t* burst, cudaStream_t stream) {
  advance<<<1, 1, 0, stream>>>(burst);
  fill<<<dim3(kBlocksPerCall, static_cast<unsigned>(count)), kThreads, 0, stream>>>(calls, rank, burst);
}

void launch_check(const CallData* calls, int count, int ranks, const std::uint32_t* burst, Verdict* verdict,
                  cudaStream_t stream) {
  check_outputs<<<dim3(kBlocksPerCall, static_cast<unsigned>(count)), kThreads, 0, stream>>>(calls, ranks,
                                                                                             burst, verdict);
}

void launch_random_delay(const std::uint32_t* burst, std::uint32_t salt, std::uint32_t longest_ns,
                         cudaStream_t stream) {
  random_delay<<<1, 1, 0, stream>>>(burst, salt, longest_ns);
}

void launch_compute(float* data, std::size_t count, cudaStream_t stream) {
  compute<<<264, 512, 0, stream>>>(data, count);
}

}  // namespace ringside::bench
