#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/half.hpp"
#include "model/case.hpp"

namespace ringside {

// Elements of a dtype as bytes, and the sum that a one-rounding, rank-order allreduce must give: for tests
// that compare bit by bit.
struct Elements {
  DType dtype = DType::bf16;
  std::vector<std::byte> bytes;

  std::size_t count() const { return bytes.size() / element_size(dtype); }

  float get(std::size_t i) const {
    if (dtype == DType::fp32) return load<float>(i);
    const auto bits = load<std::uint16_t>(i);
    return dtype == DType::bf16 ? to_float(Bf16{bits}) : to_float(Fp16{bits});
  }

  void set(std::size_t i, float value) {
    if (dtype == DType::fp32) return store(i, value);
    store(i, dtype == DType::bf16 ? to_bf16(value).bits : to_fp16(value).bits);
  }

 private:
  template <typename T>
  T load(std::size_t i) const {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  template <typename T>
  void store(std::size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
};

// Values that differ from rank to rank, call to call and element to element, with a fraction that must be
// rounded.
inline Elements test_input(DType dtype, std::size_t count, int rank, int call) {
  Elements elements{dtype, std::vector<std::byte>(count * element_size(dtype))};
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u + static_cast<unsigned>(rank * 1000003 + call * 7919);
    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u;
    elements.set(i, static_cast<float>(static_cast<std::int64_t>(mixed >> 40) - (1 << 23)) / 4096.0f);
  }
  return elements;
}

inline Elements expected_sum(const std::vector<Elements>& inputs) {
  Elements sum = inputs.front();
  for (std::size_t i = 0; i < sum.count(); ++i) {
    float total = inputs.front().get(i);
    for (std::size_t r = 1; r < inputs.size(); ++r) total += inputs[r].get(i);
    sum.set(i, total);
  }
  return sum;
}

}  // namespace ringside
