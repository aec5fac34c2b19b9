#include "kernels/digest.hpp"

#include "kernels/launch.cuh"

namespace ringside::kernels {
namespace {

constexpr int kThreads = 512;
constexpr std::size_t kMostBlocks = 256;
constexpr std::size_t kWord = sizeof(std::uint64_t);

struct DigestArguments {
  const std::byte* data;
  std::size_t bytes;
  bool aligned;  // to kWord
  std::uint64_t* sum;
};

// As hash_word() of libcore/base/hash_bytes.hpp: kernels include nothing of libcore.
__device__ std::uint64_t hash_word(std::uint64_t word, std::uint64_t index) {
  std::uint64_t x = word + (index + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

__device__ std::uint64_t word_of_bytes(const std::byte* data, std::size_t bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes; ++i) word |= static_cast<std::uint64_t>(data[i]) << (8 * i);
  return word;
}

__global__ void __launch_bounds__(kThreads) digest(DigestArguments arguments) {
  wait_for_kernel_before();
  let_next_kernel_start();
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::uint64_t sum = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i * kWord < arguments.bytes;
       i += step) {
    const std::byte* place = arguments.data + i * kWord;
    const std::size_t left = arguments.bytes - i * kWord;
    const std::uint64_t word = arguments.aligned && left >= kWord
                                   ? *reinterpret_cast<const std::uint64_t*>(place)
                                   : word_of_bytes(place, left < kWord ? left : kWord);
    sum += hash_word(word, i);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0 && sum != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(arguments.sum), static_cast<unsigned long long>(sum));
  }
}

}  // namespace

cudaError_t launch_digest(const std::byte* data, std::size_t bytes, std::uint64_t* sum, cudaStream_t stream) {
  const std::size_t words = (bytes + kWord - 1) / kWord;
  const std::size_t wanted = (words + kThreads - 1) / kThreads;
  const std::size_t blocks = wanted < 1 ? 1 : wanted < kMostBlocks ? wanted : kMostBlocks;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % kWord == 0;
  return launch(digest, {.blocks = static_cast<int>(blocks), .threads = kThreads, .dependent = true},
                DigestArguments{data, bytes, aligned, sum}, stream);
}

}  // namespace ringside::kernels
