// The sum as loops over vectors, for a file that has set its target instructions before it includes this one.
// Nothing of the standard library is called here: see SumCall.
#pragma once

#include "device/host/vector_kernels.hpp"

namespace ringside {

// `V` is the vector: kWidth floats; load and store of floats, bf16 and fp16; add, quiet, stream, fence.
template <typename V, DType kFrom, DType kTo>
struct SumKernel {
  using Floats = typename V::Floats;
  static constexpr std::size_t kToSize = kTo == DType::fp32 ? 4 : 2;
  static constexpr std::size_t kFromSize = kFrom == DType::fp32 ? 4 : 2;
  static constexpr std::size_t kStoreBytes = V::kWidth * kToSize;

  static void plain(const SumCall& shared_call) {
    const SumCall call =
        shared_call;  // stores to targets can't change the copy, so its fields stay in registers
    std::size_t i = 0;
    for (; i + 2 * V::kWidth <= call.count; i += 2 * V::kWidth) {
      Floats low;
      Floats high;
      sum_pair(call, i, low, high);
      for (std::size_t t = 0; t < call.target_count; ++t) {
        V::template store<kTo>(call.targets[t] + i * kToSize, low);
        V::template store<kTo>(call.targets[t] + i * kToSize + kStoreBytes, high);
      }
    }
    for (; i < call.count; i += V::kWidth) part(call, i, smaller(V::kWidth, call.count - i));
  }

  static void streaming(const SumCall& shared_call) {
    const SumCall call = shared_call;
    // Only whole aligned vectors can be streamed; the targets are mostly aligned alike.
    const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(call.targets[0]) % kStoreBytes;
    bool alike = misplaced % kToSize == 0;
    for (std::size_t t = 1; t < call.target_count; ++t) {
      alike = alike && reinterpret_cast<std::uintptr_t>(call.targets[t]) % kStoreBytes == misplaced;
    }
    if (!alike) return plain(call);
    std::size_t i = misplaced == 0 ? 0 : smaller((kStoreBytes - misplaced) / kToSize, call.count);
    if (i != 0) part(call, 0, i);
    for (; i + 2 * V::kWidth <= call.count; i += 2 * V::kWidth) {
      Floats low;
      Floats high;
      sum_pair(call, i, low, high);
      for (std::size_t t = 0; t < call.target_count; ++t) {
        V::template stream<kTo>(call.targets[t] + i * kToSize, low);
        V::template stream<kTo>(call.targets[t] + i * kToSize + kStoreBytes, high);
      }
    }
    for (; i < call.count; i += V::kWidth) part(call, i, smaller(V::kWidth, call.count - i));
    V::fence();
  }

 private:
  static std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

  // Two vectors at a time hide the latency of one behind the other.
  static void sum_pair(const SumCall& call, std::size_t i, Floats& low, Floats& high) {
    std::size_t p = 0;
    std::size_t v = 0;
    if (call.partial_count != 0) {
      low = V::load_floats(call.partials[0] + i);
      high = V::load_floats(call.partials[0] + i + V::kWidth);
      p = 1;
    } else {
      low = V::template load<kFrom>(call.values[0] + i * kFromSize);
      high = V::template load<kFrom>(call.values[0] + (i + V::kWidth) * kFromSize);
      v = 1;
    }
    for (; p < call.partial_count; ++p) {
      low = V::add(low, V::load_floats(call.partials[p] + i));
      high = V::add(high, V::load_floats(call.partials[p] + i + V::kWidth));
    }
    for (; v < call.value_count; ++v) {
      low = V::add(low, V::template load<kFrom>(call.values[v] + i * kFromSize));
      high = V::add(high, V::template load<kFrom>(call.values[v] + (i + V::kWidth) * kFromSize));
    }
    low = V::quiet(low);
    high = V::quiet(high);
  }

  // `elements` <= kWidth from element i on: through buffers of a whole vector.
  static void part(const SumCall& call, std::size_t i, std::size_t elements) {
    Floats sum{};
    bool first = true;
    for (std::size_t p = 0; p < call.partial_count; ++p) {
      float buffer[V::kWidth] = {};
      __builtin_memcpy(buffer, call.partials[p] + i, elements * sizeof(float));
      sum = first ? V::load_floats(buffer) : V::add(sum, V::load_floats(buffer));
      first = false;
    }
    for (std::size_t v = 0; v < call.value_count; ++v) {
      std::byte buffer[V::kWidth * kFromSize] = {};
      __builtin_memcpy(buffer, call.values[v] + i * kFromSize, elements * kFromSize);
      sum = first ? V::template load<kFrom>(buffer) : V::add(sum, V::template load<kFrom>(buffer));
      first = false;
    }
    std::byte rounded[kStoreBytes];
    V::template store<kTo>(rounded, V::quiet(sum));
    for (std::size_t t = 0; t < call.target_count; ++t) {
      __builtin_memcpy(call.targets[t] + i * kToSize, rounded, elements * kToSize);
    }
  }
};

template <typename V>
constexpr VectorKernels vector_kernels() {
  using enum DType;
  return {
      {SumKernel<V, bf16, bf16>::plain, SumKernel<V, fp16, fp16>::plain, SumKernel<V, fp32, fp32>::plain},
      {SumKernel<V, bf16, bf16>::streaming, SumKernel<V, fp16, fp16>::streaming,
       SumKernel<V, fp32, fp32>::streaming},
      {SumKernel<V, bf16, fp32>::plain, SumKernel<V, fp16, fp32>::plain, SumKernel<V, fp32, fp32>::plain},
      V::read_through,
  };
}

}  // namespace ringside
