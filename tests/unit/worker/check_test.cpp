#include "worker/verify/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/hash_bytes.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "worker/verify/element.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::bytes_of;
using test::dtype_of;
using test::input;

namespace {

constexpr Numerics kSingleRounding{.single_rounding = true, .bitwise_across_ranks = true};
constexpr Numerics kRankOrder{.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};

template <typename Element>
InputKey key_of(InputSet set, std::uint64_t seed, std::uint32_t call = 3) {
  return {.set = set, .dtype = dtype_of<Element>, .seed = seed, .call = call, .rank = 0};
}

template <typename Element>
using Contributions = std::vector<std::vector<Element>>;  // by rank

template <typename Element>
Contributions<Element> contributions(InputKey key, int ranks, std::size_t count) {
  Contributions<Element> all;
  for (key.rank = 0; key.rank < ranks; ++key.rank) all.push_back(input<Element>(key, count));
  return all;
}

// Sums of fp32 partials, rounded once, of the given ranks in that order.
template <typename Element>
std::vector<Element> sum_in_order(const Contributions<Element>& all, const std::vector<std::size_t>& order) {
  std::vector<Element> result(all[0].size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    float partial = to_float(all[order[0]][i]);
    for (std::size_t k = 1; k < order.size(); ++k) partial += to_float(all[order[k]][i]);
    result[i] = Format<Element>::round(partial);
  }
  return result;
}

std::vector<std::size_t> rank_order(int ranks) {
  std::vector<std::size_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

template <typename Element>
std::vector<Element> right_sum(const InputKey& key, int ranks, std::size_t count) {
  return sum_in_order(contributions<Element>(key, ranks, count), rank_order(ranks));
}

// Pairs, then pairs of pairs: the other extreme of summation orders.
template <typename Element>
std::vector<Element> sum_in_pairs(const Contributions<Element>& all) {
  std::vector<Element> result(all[0].size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::vector<float> level;
    for (const auto& values : all) level.push_back(to_float(values[i]));
    while (level.size() > 1) {
      std::vector<float> next;
      for (std::size_t k = 0; k + 1 < level.size(); k += 2) next.push_back(level[k] + level[k + 1]);
      if (level.size() % 2 == 1) next.push_back(level.back());
      level = next;
    }
    result[i] = Format<Element>::round(level[0]);
  }
  return result;
}

// Rounds to the dtype after every addition, as a ring does whose wire carries the dtype.
template <typename Element>
std::vector<Element> sum_rounding_each_step(const Contributions<Element>& all) {
  std::vector<Element> result = all[0];
  for (std::size_t k = 1; k < all.size(); ++k) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = Format<Element>::round(to_float(result[i]) + to_float(all[k][i]));
    }
  }
  return result;
}

std::string text_of(const std::optional<Mismatch>& mismatch) {
  return mismatch ? mismatch->text : "no mismatch";
}

}  // namespace

TEMPLATE_TEST_CASE("a correct sum is never rejected, whatever its order", "", Bf16, Fp16, float) {
  constexpr std::size_t kCount = 3000;  // not a multiple of any block
  for (int ranks = 2; ranks <= 16; ++ranks) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      for (const InputSet set : {InputSet::exact, InputSet::full_range}) {
        INFO("ranks " << ranks << ", seed " << seed << ", set " << static_cast<int>(set));
        const InputKey key = key_of<TestType>(set, seed);
        const auto all = contributions<TestType>(key, ranks, kCount);
        auto backwards = rank_order(ranks);
        std::reverse(backwards.begin(), backwards.end());
        auto rotated = rank_order(ranks);
        std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());

        const auto in_order = sum_in_order(all, rank_order(ranks));
        CHECK(text_of(check_output(key, ranks, kRankOrder, bytes_of(in_order))) == "no mismatch");
        CHECK(text_of(check_output(key, ranks, kSingleRounding, bytes_of(in_order))) == "no mismatch");
        const auto reversed = sum_in_order(all, backwards);
        CHECK(text_of(check_output(key, ranks, kSingleRounding, bytes_of(reversed))) == "no mismatch");
        const auto from_next = sum_in_order(all, rotated);
        CHECK(text_of(check_output(key, ranks, kSingleRounding, bytes_of(from_next))) == "no mismatch");
        const auto paired = sum_in_pairs(all);
        CHECK(text_of(check_output(key, ranks, kSingleRounding, bytes_of(paired))) == "no mismatch");
        const auto stepwise = sum_rounding_each_step(all);
        const Numerics each_step{.roundings = ranks - 1};
        CHECK(text_of(check_output(key, ranks, each_step, bytes_of(stepwise))) == "no mismatch");
      }
    }
  }
}

TEMPLATE_TEST_CASE("rounding at every step is caught where a single rounding is declared", "", Bf16, Fp16) {
  for (int ranks = 3; ranks <= 16;
       ++ranks) {  // two ranks have a single addition: there is nothing to tell apart
    const InputKey key = key_of<TestType>(InputSet::full_range, 5);
    const auto stepwise = sum_rounding_each_step(contributions<TestType>(key, ranks, 512));
    INFO("ranks " << ranks);
    CHECK_THAT(text_of(check_output(key, ranks, kSingleRounding, bytes_of(stepwise))),
               ContainsSubstring(" ulp, where "));
    CHECK(check_output(key, ranks, kRankOrder, bytes_of(stepwise)));
  }
}

TEST_CASE("an undeclared order of summation is caught where rank order is declared") {
  const InputKey key = key_of<float>(InputSet::full_range, 5);
  const auto all = contributions<float>(key, 4, 1000);
  CHECK(check_output(key, 4, kRankOrder, bytes_of(sum_in_order(all, {3, 2, 1, 0}))));
  CHECK_FALSE(check_output(key, 4, kRankOrder, bytes_of(sum_in_order(all, {1, 0, 2, 3}))));  // a + b is b + a
}

TEMPLATE_TEST_CASE("a single skipped element is caught in both sets", "", Bf16, Fp16, float) {
  for (const InputSet set : {InputSet::exact, InputSet::full_range}) {
    const InputKey key = key_of<TestType>(set, 8);
    auto output = right_sum<TestType>(key, 4, 5000);
    output[4321] = test::poisoned<TestType>();
    const auto mismatch = check_output(key, 4, kSingleRounding, bytes_of(output));
    REQUIRE(mismatch);
    CHECK(mismatch->element == 4321);
    CHECK_THAT(mismatch->text, ContainsSubstring("as if it had never been written"));
  }
}

TEMPLATE_TEST_CASE("one wrong bit of an ordinary result is caught in set A", "", Bf16, Fp16, float) {
  const InputKey key = key_of<TestType>(InputSet::exact, 8);
  const auto right = right_sum<TestType>(key, 2, 64);
  for (std::size_t bit = 0; bit < 8 * sizeof(TestType); ++bit) {
    auto output = right;
    auto bits = bits_of(output[40]);
    bits = static_cast<decltype(bits)>(bits ^ (decltype(bits){1} << bit));
    output[40] = std::bit_cast<TestType>(bits);
    const auto mismatch = check_output(key, 2, kSingleRounding, bytes_of(output));
    REQUIRE(mismatch);
    CHECK(mismatch->element == 40);
    CHECK(mismatch->allowed == 0);
  }
}

TEST_CASE("a fault is described by what it looks like") {
  constexpr int kRanks = 3;
  constexpr std::size_t kCount = 100;
  const InputKey key = key_of<Bf16>(InputSet::exact, 11, 4);
  const auto here = contributions<Bf16>(key, kRanks, kCount);
  const auto before = contributions<Bf16>(key_of<Bf16>(InputSet::exact, 11, 3), kRanks, kCount);
  const auto after = contributions<Bf16>(key_of<Bf16>(InputSet::exact, 11, 5), kRanks, kCount);
  const auto described = [&](const Contributions<Bf16>& used, std::vector<std::size_t> order) {
    return text_of(check_output(key, kRanks, kSingleRounding, bytes_of(sum_in_order(used, order))));
  };
  auto stale = here;
  stale[1] = before[1];
  auto early = here;
  early[2] = after[2];

  CHECK_THAT(described(here, {0, 2}),
             ContainsSubstring("call 4, rank 0, element 0: got ") &&
                 ContainsSubstring("as if the contribution of rank 1 were missing in all 8 wrong"));
  CHECK_THAT(described(here, {0, 1, 2, 1}),
             ContainsSubstring("as if the contribution of rank 1 were counted twice"));
  CHECK_THAT(described(here, {0, 1, 0}),
             ContainsSubstring("contribution of rank 0 stood in for that of rank 2"));
  CHECK_THAT(described(here, {2}), ContainsSubstring("as if it were the contribution of rank 2 alone"));
  CHECK_THAT(described(before, {0, 1, 2}), ContainsSubstring("as if it were the sum of the call before"));
  CHECK_THAT(described(stale, {0, 1, 2}),
             ContainsSubstring("contribution of rank 1 were still that of the call before"));
  CHECK_THAT(described(early, {0, 1, 2}),
             ContainsSubstring("contribution of rank 2 were already that of the next call"));

  auto shifted = sum_in_order(here, {0, 1, 2});
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  CHECK_THAT(text_of(check_output(key, kRanks, kSingleRounding, bytes_of(shifted))),
             ContainsSubstring("element to the right"));
  const std::vector<Bf16> zeros(kCount);
  CHECK_THAT(text_of(check_output(key, kRanks, kSingleRounding, bytes_of(zeros))),
             !ContainsSubstring("as if"));
}

TEST_CASE("a fault in the first call is not put down to a call before") {
  const InputKey key = key_of<Bf16>(InputSet::exact, 11, 4);
  const auto before = right_sum<Bf16>(key_of<Bf16>(InputSet::exact, 11, 3), 2, 100);
  const auto text = text_of(check_output(key, 2, kSingleRounding, bytes_of(before), CallContext{.call = 0}));
  CHECK_THAT(text, ContainsSubstring("call 0, ") && !ContainsSubstring("as if"));
}

TEMPLATE_TEST_CASE("a NaN is demanded where one goes in and nowhere else", "", Bf16, Fp16, float) {
  constexpr std::size_t kCount = 2000;
  const InputKey key = key_of<TestType>(InputSet::full_range, 21);
  const auto right = right_sum<TestType>(key, 4, kCount);
  const TestType nan = Format<TestType>::round(-std::numeric_limits<float>::quiet_NaN());
  const TestType one = Format<TestType>::round(1.0f);
  int demanded = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    auto output = right;
    const bool is_nan = std::isnan(to_float(right[i]));
    output[i] = is_nan ? one : nan;
    demanded += is_nan;
    const auto mismatch = check_output(key, 4, kSingleRounding, bytes_of(output));
    REQUIRE(mismatch);
    REQUIRE(mismatch->element == i);
    if (is_nan) {
      output[i] = nan;  // of another sign and payload than the right one's
      REQUIRE_FALSE(check_output(key, 4, kSingleRounding, bytes_of(output)));
    }
  }
  CHECK(demanded > 5);
}

TEMPLATE_TEST_CASE("an infinity is demanded where the sum overflows and nowhere else", "", Bf16, Fp16,
                   float) {
  constexpr std::size_t kCount = 4000;
  constexpr int kRanks = 4;
  const InputKey key = key_of<TestType>(InputSet::full_range, 22);
  const auto right = right_sum<TestType>(key, kRanks, kCount);
  const auto all = contributions<TestType>(key, kRanks, kCount);
  const auto largest =
      std::ldexp(2 - std::ldexp(1.0, -Format<TestType>::kMantissaBits), Format<TestType>::kMaxExponent);
  int overflowed = 0;
  int finite = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    double sum = 0;
    for (const auto& values : all) sum += to_float(values[i]);
    if (!(std::fabs(sum) > largest / 16) || std::isinf(sum)) continue;
    auto output = right;
    if (std::isinf(to_float(right[i]))) {
      output[i] = Format<TestType>::round(static_cast<float>(std::copysign(largest, sum)));  // saturated
      ++overflowed;
    } else {
      output[i] =
          Format<TestType>::round(std::copysign(std::numeric_limits<float>::infinity(), to_float(right[i])));
      ++finite;
    }
    const auto mismatch = check_output(key, kRanks, kSingleRounding, bytes_of(output));
    REQUIRE(mismatch);
    REQUIRE(mismatch->element == i);
  }
  CHECK(overflowed > 5);
  CHECK(finite > 5);
}

TEST_CASE("the sign of a zero is free in set B") {
  const InputKey key = key_of<Fp16>(InputSet::full_range, 23);
  auto output = right_sum<Fp16>(key, 2, 2000);
  int zeros = 0;
  for (Fp16& element : output) {
    if (to_float(element) != 0) continue;
    element.bits ^= 0x8000u;
    ++zeros;
  }
  CHECK(zeros > 5);
  CHECK_FALSE(check_output(key, 2, kSingleRounding, bytes_of(output)));
}

TEMPLATE_TEST_CASE("flushing subnormals to zero is caught", "", Bf16, Fp16, float) {
  const InputKey key = key_of<TestType>(InputSet::full_range, 24);
  auto output = right_sum<TestType>(key, 2, 2000);
  for (TestType& element : output) {
    if (std::fabs(to_float(element)) < std::ldexp(1.0, Format<TestType>::kMinExponent)) element = TestType{};
  }
  CHECK(check_output(key, 2, kSingleRounding, bytes_of(output)));
}

TEMPLATE_TEST_CASE("an error of one unit in the last place is caught in set B", "", Bf16, Fp16) {
  const InputKey key = key_of<TestType>(InputSet::full_range, 25);
  const auto right = right_sum<TestType>(key, 4, 1000);
  int caught = 0;
  int tried = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!std::isfinite(to_float(right[i])) || to_float(right[i]) == 0) continue;
    auto output = right;
    const auto bits = bits_of(output[i]);
    output[i] = std::bit_cast<TestType>(static_cast<decltype(bits_of(output[i]))>(bits + 1));
    ++tried;
    caught += check_output(key, 4, kSingleRounding, bytes_of(output)).has_value();
  }
  CHECK(caught >= tried * 9 / 10);  // the rest are ties: both neighbours are half a unit away
}

TEST_CASE("the hash of an output changes with every single bit and with the place of its words") {
  const auto output = right_sum<float>(key_of<float>(InputSet::exact, 30), 2, 27);  // with a tail
  std::vector<std::byte> bytes(bytes_of(output).begin(), bytes_of(output).end());
  const std::uint64_t hash = hash_bytes(bytes);
  CHECK(hash == hash_bytes(bytes_of(output)));
  std::vector<std::uint64_t> hashes{hash};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    hashes.push_back(hash_bytes(bytes));
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  bytes.resize(64);
  hashes.push_back(hash_bytes(bytes));
  std::swap_ranges(bytes.begin(), bytes.begin() + 32, bytes.begin() + 32);
  hashes.push_back(hash_bytes(bytes));
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEMPLATE_TEST_CASE("NaN of any payload are one after canonicalisation, and nothing else changes", "", Bf16,
                   Fp16, float) {
  const auto original = input<TestType>(key_of<TestType>(InputSet::full_range, 31), 3000);
  auto canonical = original;
  canonicalize_nan(dtype_of<TestType>, std::as_writable_bytes(std::span(canonical)));
  std::vector<TestType> nans;
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (std::isnan(to_float(original[i]))) {
      nans.push_back(canonical[i]);
    } else {
      REQUIRE(bits_of(canonical[i]) == bits_of(original[i]));
    }
  }
  REQUIRE(nans.size() > 1);
  for (const TestType nan : nans) {
    CHECK(std::isnan(to_float(nan)));
    CHECK(bits_of(nan) == bits_of(nans[0]));
  }
}
