#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "base/half.hpp"
#include "worker/verify/check.hpp"
#include "worker/verify/inputs.hpp"

namespace ringside::test {

template <typename Element>
constexpr DType dtype_of = std::is_same_v<Element, Bf16>   ? DType::bf16
                           : std::is_same_v<Element, Fp16> ? DType::fp16
                                                           : DType::fp32;

// An element that was never written.
template <typename Element>
Element poisoned() {
  std::array<std::byte, sizeof(Element)> bytes;
  bytes.fill(kPoison);
  return std::bit_cast<Element>(bytes);
}

// The input of `key` as elements.
template <typename Element>
std::vector<Element> input(const InputKey& key, std::size_t count, std::size_t first = 0) {
  std::vector<Element> elements(count);
  fill_input(key, first, std::as_writable_bytes(std::span(elements)));
  return elements;
}

template <typename Element>
std::span<const std::byte> bytes_of(const std::vector<Element>& elements) {
  return std::as_bytes(std::span(elements));
}

}  // namespace ringside::test
