// Sums one element at a time: for CPUs without wider vectors, and the definition that the other kernels must
// meet.
#include <bit>
#include <cstring>

#include "base/half.hpp"
#include "device/host/vector_kernels.hpp"

namespace ringside {
namespace {

void convert(float value, float& to) {
  to = value;
}
void convert(float value, Bf16& to) {
  to = to_bf16(value);
}
void convert(float value, Fp16& to) {
  to = to_fp16(value);
}

template <typename T>
T load(const void* array, std::size_t i) {
  T element;
  std::memcpy(&element, static_cast<const char*>(array) + i * sizeof(T), sizeof(T));
  return element;
}

template <typename From, typename To>
void sum(const SumCall& call) {
  for (std::size_t i = 0; i < call.count; ++i) {
    // -0 is the one value that changes nothing when the first term is added to it.
    float total = -0.0f;
    for (std::size_t p = 0; p < call.partial_count; ++p) total += load<float>(call.partials[p], i);
    for (std::size_t v = 0; v < call.value_count; ++v) total += to_float(load<From>(call.values[v], i));
    if (total != total) total = std::bit_cast<float>(0x7fc00000u);
    To rounded;
    convert(total, rounded);
    for (std::size_t t = 0; t < call.target_count; ++t) {
      std::memcpy(call.targets[t] + i * sizeof(To), &rounded, sizeof(To));
    }
  }
}

std::uint64_t read_through(const std::byte* source, std::size_t bytes) {
  std::uint64_t folded = 0;
  for (std::size_t at = 0; at + 64 <= bytes; at += 64) {
    for (std::size_t word = 0; word < 64; word += 8) folded ^= load<std::uint64_t>(source + at + word, 0);
  }
  return folded;
}

}  // namespace

const VectorKernels kPortableKernels = {
    {sum<Bf16, Bf16>, sum<Fp16, Fp16>, sum<float, float>},
    {sum<Bf16, Bf16>, sum<Fp16, Fp16>, sum<float, float>},
    {sum<Bf16, float>, sum<Fp16, float>, sum<float, float>},
    read_through,
};

}  // namespace ringside
