#pragma once

#include <cstddef>

#include "kernels/packet_slots.hpp"

namespace ringside::kernels {

// All blocks of a push kernel must be on the GPU at once, since peers wait for the packets of each. More
// ranks need more registers, so fewer threads fit.
constexpr int max_threads(int ranks) {
  return ranks <= 4 ? 1024 : 512;
}
constexpr int min_blocks(int ranks) {
  return ranks == 2 ? 2 : 1;  // of max_threads() on a multiprocessor
}

// The same as a promise to the compiler, which some architectures (1,536 threads to a multiprocessor, or
// 1,024) could not keep.
constexpr int promised_blocks(int ranks) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
  return min_blocks(ranks);
#else
  return ranks > 0 ? 1 : 0;
#endif
}

// A shape for `vectors` of 16 bytes from and to each peer: as measured with two H200, one vector to a thread
// as long as they fit, in blocks small enough to spread over the GPU.
inline LaunchShape shape_for_vectors(std::size_t vectors, int ranks, int multiprocessors) {
  LaunchShape shape;
  shape.threads = vectors <= 16384 ? 128 : vectors <= 65536 ? 512 : max_threads(ranks);
  const std::size_t wanted = (vectors + shape.threads - 1) / static_cast<std::size_t>(shape.threads);
  const int blocks_each = vectors >= (std::size_t{1} << 19) ? min_blocks(ranks) : 1;
  const std::size_t most = static_cast<std::size_t>(multiprocessors) * blocks_each;
  shape.blocks = static_cast<int>(wanted < 1 ? 1 : wanted < most ? wanted : most);
  return shape;
}

}  // namespace ringside::kernels
