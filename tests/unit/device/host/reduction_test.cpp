#include "device/host/reduction.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "base/half.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr DType kDTypes[] = {DType::bf16, DType::fp16, DType::fp32};

using Array = std::vector<std::byte>;

// What one element must become, written down independently of the kernels.
float canonical(float sum) {
  return std::isnan(sum) ? std::bit_cast<float>(0x7fc00000u) : sum;
}

float element(const Array& array, DType dtype, std::size_t i) {
  if (dtype == DType::fp32) {
    float value;
    std::memcpy(&value, array.data() + 4 * i, 4);
    return value;
  }
  std::uint16_t bits;
  std::memcpy(&bits, array.data() + 2 * i, 2);
  return dtype == DType::bf16 ? to_float(Bf16{bits}) : to_float(Fp16{bits});
}

void set_element(Array& array, DType dtype, std::size_t i, float value) {
  if (dtype == DType::fp32) {
    std::memcpy(array.data() + 4 * i, &value, 4);
    return;
  }
  const std::uint16_t bits = dtype == DType::bf16 ? to_bf16(value).bits : to_fp16(value).bits;
  std::memcpy(array.data() + 2 * i, &bits, 2);
}

// All bit patterns of a half type, or as many of fp32 that have every exponent, both signs and NaNs with
// payloads.
Array patterns(DType dtype) {
  Array array(65536 * element_size(dtype));
  for (std::uint32_t i = 0; i < 65536; ++i) {
    if (dtype == DType::fp32) {
      const std::uint32_t bits = i << 16 | (i * 40503u & 0xffffu);
      std::memcpy(array.data() + 4 * i, &bits, 4);
    } else {
      const auto bits = static_cast<std::uint16_t>(i);
      std::memcpy(array.data() + 2 * i, &bits, 2);
    }
  }
  return array;
}

Array shuffled(Array array, DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t size = element_size(dtype);
  for (std::size_t i = array.size() / size - 1; i > 0; --i) {
    const std::size_t j = random() % (i + 1);
    for (std::size_t byte = 0; byte < size; ++byte) std::swap(array[i * size + byte], array[j * size + byte]);
  }
  return array;
}

std::vector<const std::byte*> pointers(const std::vector<Array>& arrays) {
  std::vector<const std::byte*> all;
  for (const Array& array : arrays) all.push_back(array.data());
  return all;
}

// Elements of `got` that differ from `expected` in any bit.
std::size_t differing(const Array& got, const Array& expected, std::size_t size) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < expected.size(); at += size) {
    if (std::memcmp(got.data() + at, expected.data() + at, size) != 0) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("widening gives exactly the value of every bit pattern, and one NaN for all") {
  for (const DType dtype : kDTypes) {
    const Array values = patterns(dtype);
    Array expected(65536 * 4);
    for (std::size_t i = 0; i < 65536; ++i) {
      set_element(expected, DType::fp32, i, canonical(element(values, dtype, i)));
    }
    for (const Simd simd : usable_simd()) {
      Array got(expected.size());
      const std::byte* const term = values.data();
      Reduction(dtype, simd)
          .to_partial(reinterpret_cast<float*>(got.data()), {.partials = {}, .values = {&term, 1}}, 65536);
      INFO(to_string(dtype) << " " << to_string(simd));
      CHECK(differing(got, expected, 4) == 0);
    }
  }
}

TEST_CASE("rounding a partial sum gives the bits of to_bf16 and to_fp16 for every upper half and its ties") {
  for (const DType dtype : kDTypes) {
    // Around every value of a half type: the value, just below and above it, half way to the next and around
    // that.
    std::vector<float> partials;
    for (std::uint32_t high = 0; high < 65536; ++high) {
      for (const std::uint32_t low :
           {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
        partials.push_back(std::bit_cast<float>(high << 16 | low));
      }
    }
    Array expected(partials.size() * element_size(dtype));
    for (std::size_t i = 0; i < partials.size(); ++i) {
      set_element(expected, dtype, i, canonical(partials[i]));
    }
    for (const Simd simd : usable_simd()) {
      Array got(expected.size());
      const float* const term = partials.data();
      Reduction(dtype, simd).to_result(got.data(), {.partials = {&term, 1}, .values = {}}, partials.size());
      INFO(to_string(dtype) << " " << to_string(simd));
      CHECK(differing(got, expected, element_size(dtype)) == 0);
    }
  }
}

TEST_CASE("a sum is made in fp32 in the order of the terms and rounded once, with every instruction set") {
  for (const DType dtype : kDTypes) {
    const std::size_t size = element_size(dtype);
    for (const std::size_t terms : {2u, 3u, 7u}) {
      std::vector<Array> values;
      for (unsigned t = 0; t < terms; ++t) values.push_back(shuffled(patterns(dtype), dtype, t + 1));
      Array expected(65536 * size);
      for (std::size_t i = 0; i < 65536; ++i) {
        float sum = element(values[0], dtype, i);
        for (std::size_t t = 1; t < terms; ++t) sum += element(values[t], dtype, i);
        set_element(expected, dtype, i, canonical(sum));
      }
      for (const Simd simd : usable_simd()) {
        Array plain(expected.size());
        Array streamed(expected.size());
        const std::vector<const std::byte*> sources = pointers(values);
        Reduction(dtype, simd).to_result(plain.data(), {.partials = {}, .values = sources}, 65536);
        std::byte* const target = streamed.data();
        Reduction(dtype, simd).to_result_streaming({&target, 1}, {.partials = {}, .values = sources}, 65536);
        INFO(to_string(dtype) << " " << to_string(simd) << ", " << terms << " terms");
        CHECK(differing(plain, expected, size) == 0);
        CHECK(differing(streamed, expected, size) == 0);
      }
    }
  }
}

TEST_CASE("partial sums are added before the values") {
  // In fp32, 1e8 + 1 - 1e8 is 0 and 1e8 - 1e8 + 1 is 1: the order shows.
  const std::vector<float> large(37, 1e8f);
  const std::vector<float> one(37, 1.0f);
  const std::vector<float> minus_large(37, -1e8f);
  for (const Simd simd : usable_simd()) {
    const Reduction reduction(DType::fp32, simd);
    const auto sum = [&](std::vector<const std::vector<float>*> partials,
                         std::vector<const std::vector<float>*> values) {
      std::vector<const float*> p;
      std::vector<const std::byte*> v;
      for (const auto* array : partials) p.push_back(array->data());
      for (const auto* array : values) v.push_back(reinterpret_cast<const std::byte*>(array->data()));
      std::vector<float> result(37);
      reduction.to_partial(result.data(), {.partials = p, .values = v}, 37);
      return result;
    };
    CHECK(sum({&large, &one}, {&minus_large}) == std::vector<float>(37, 0.0f));
    CHECK(sum({&large, &minus_large}, {&one}) == std::vector<float>(37, 1.0f));
    CHECK(sum({&one}, {&large, &minus_large}) == std::vector<float>(37, 0.0f));
  }
}

TEST_CASE("any number of elements at any alignment is summed and nothing beside them is touched") {
  for (const DType dtype : kDTypes) {
    const std::size_t size = element_size(dtype);
    for (const Simd simd : usable_simd()) {
      std::size_t wrong = 0;
      for (std::size_t count = 0; count <= 100; ++count) {
        for (std::size_t shift = 0; shift < 3; ++shift) {
          // Values 1, 2, 3, ... (exact in every dtype up to 256) behind a gap that shifts the alignment.
          Array a(256 * size, std::byte{0xCB});
          for (std::size_t i = 0; i < 128; ++i) set_element(a, dtype, i + shift, static_cast<float>(i));
          const std::byte* const sources[] = {a.data() + shift * size, a.data() + shift * size};
          for (const bool streaming : {false, true}) {
            Array first(256 * size, std::byte{0xCB});
            Array second(256 * size, std::byte{0xCB});
            Array expected = first;
            for (std::size_t i = 0; i < count; ++i) {
              set_element(expected, dtype, i + 5, static_cast<float>(2 * i));
            }
            std::byte* const targets[] = {first.data() + 5 * size, second.data() + 5 * size};
            const Reduction reduction(dtype, simd);
            const Terms terms{.partials = {}, .values = sources};
            if (streaming) {
              reduction.to_result_streaming(targets, terms, count);
            } else {
              reduction.to_result(targets, terms, count);
            }
            if (first != expected || second != expected) ++wrong;
          }
        }
      }
      INFO(to_string(dtype) << " " << to_string(simd));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a target may be one of the terms") {
  for (const Simd simd : usable_simd()) {
    std::vector<float> mine(1003, 3.0f);
    const std::vector<float> other(1003, 4.0f);
    auto* const target = reinterpret_cast<std::byte*>(mine.data());
    const std::byte* const sources[] = {target, reinterpret_cast<const std::byte*>(other.data())};
    Reduction(DType::fp32, simd).to_result(target, {.partials = {}, .values = sources}, 1003);
    CHECK(mine == std::vector<float>(1003, 7.0f));
  }
}

TEST_CASE("reading through memory depends on every whole block of it") {
  std::vector<std::byte> memory(64 * 7, std::byte{0});
  const std::uint64_t before = read_through(memory.data(), memory.size());
  for (std::size_t at = 0; at < memory.size(); at += 8) {
    memory[at] = std::byte{1};
    CHECK(read_through(memory.data(), memory.size()) != before);
    memory[at] = std::byte{0};
  }
}
