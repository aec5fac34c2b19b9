#include "worker/verify/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"
#include "worker/verify/diagnose.hpp"
#include "worker/verify/element.hpp"
#include "worker/verify/tolerance.hpp"

namespace ringside {
namespace {

constexpr std::size_t kBlock = 1024;        // elements that are summed at a time
constexpr std::size_t kPart = 64 * kBlock;  // that are worth a thread

template <typename Element>
using Block = std::array<Element, kBlock>;

// Calls visit(values) with each rank's elements first, first + 1, ..., in rank order. Always whole blocks:
// the loops over a fixed number vectorise.
template <typename Element, typename Visit>
void for_each_rank(InputKey key, int ranks, std::size_t first, Visit visit) {
  Block<Element> values;
  for (key.rank = 0; key.rank < ranks; ++key.rank) {
    fill_input(key, first, std::as_writable_bytes(std::span(values)));
    visit(values);
  }
}

// What a result of set B must be.
template <typename Element>
struct Demand {
  double expected = 0;
  Tolerance allowed;

  bool met_by(Element element) const {
    const double got = to_float(element);
    if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
    if (got == expected) return true;  // infinities and zeros of either sign among them
    if (std::isinf(expected)) return false;
    if (std::isinf(got)) {
      return std::signbit(got) == std::signbit(expected) &&
             std::fabs(expected) + allowed.partials >= overflow_threshold<Element>();
    }
    return std::fabs(got - expected) <= allowed.total();
  }
};

template <typename Element>
struct Wrong {
  std::size_t index = 0;  // in the block
  Demand<Element> demand;
};

// Compares elements first, first + 1, ... of an output with the bits that are known: of set A, and of set B
// when the order of the sum is.
template <typename Element>
std::optional<Wrong<Element>> compare_bits(const InputKey& key, int ranks, std::size_t first,
                                           std::span<const Element> got) {
  Block<float> sums{};
  for_each_rank<Element>(key, ranks, first, [&](const Block<Element>& values) {
    for (std::size_t j = 0; j < kBlock; ++j) sums[j] += to_float(values[j]);
  });
  for (std::size_t j = 0; j < got.size(); ++j) {
    const Element expected = Format<Element>::round(sums[j]);
    if (bits_of(got[j]) == bits_of(expected)) continue;
    const Demand<Element> demand{to_float(expected), Tolerance{}};
    if (key.set == InputSet::exact || !demand.met_by(got[j])) return Wrong<Element>{j, demand};
  }
  return std::nullopt;
}

template <typename Element>
std::optional<Wrong<Element>> compare_bounds(const InputKey& key, int ranks, const Numerics& numerics,
                                             std::size_t first, std::span<const Element> got) {
  Block<double> sums{};
  Block<double> magnitudes{};
  for_each_rank<Element>(key, ranks, first, [&](const Block<Element>& values) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      const double value = to_float(values[j]);
      sums[j] += value;
      magnitudes[j] += std::fabs(value);
    }
  });
  for (std::size_t j = 0; j < got.size(); ++j) {
    Demand<Element> demand{sums[j], Tolerance{}};
    if (std::isfinite(sums[j])) demand.allowed = tolerance<Element>(numerics, ranks, sums[j], magnitudes[j]);
    if (!demand.met_by(got[j])) return Wrong<Element>{j, demand};
  }
  return std::nullopt;
}

// What an error of set B looks like, as the end of a sentence.
template <typename Element>
std::string describe(const Demand<Element>& demand, double got) {
  if (std::isnan(demand.expected)) return ", as a NaN or infinities of both signs went in";
  if (std::isnan(got)) return ", as neither a NaN nor infinities of both signs went in";
  if (std::isinf(demand.expected) || std::isinf(got)) return {};
  const double unit = ulp<Element>(std::fabs(demand.expected));
  return fmt::format(": off by {:.3g} ulp, where {:.3g} are allowed", std::fabs(got - demand.expected) / unit,
                     demand.allowed.total() / unit);
}

template <typename Element>
bool is_poison(Element element) {
  const auto bytes = std::as_bytes(std::span(&element, 1));
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == kPoison; });
}

// The first wrong element of begin .. end - 1; its index counts from the beginning of the output.
template <typename Element>
std::optional<Wrong<Element>> find_wrong(const InputKey& key, int ranks, const Numerics& numerics,
                                         std::span<const std::byte> output, std::size_t begin,
                                         std::size_t end) {
  const bool bits_known = key.set == InputSet::exact || (numerics.rank_order && numerics.single_rounding);
  Block<Element> block;
  for (std::size_t first = begin; first < end; first += kBlock) {
    const auto got = std::span(block).first(std::min(kBlock, end - first));
    std::memcpy(got.data(), output.data() + first * sizeof(Element), got.size_bytes());
    auto wrong = bits_known ? compare_bits<Element>(key, ranks, first, got)
                            : compare_bounds<Element>(key, ranks, numerics, first, got);
    if (!wrong) continue;
    wrong->index += first;
    return wrong;
  }
  return std::nullopt;
}

template <typename Element>
Mismatch explain(const InputKey& key, int ranks, std::span<const std::byte> output,
                 const CallContext& context, const Wrong<Element>& wrong) {
  Element got;
  std::memcpy(&got, output.data() + wrong.index * sizeof(Element), sizeof got);
  Mismatch mismatch;
  mismatch.call = context.call;
  mismatch.rank = key.rank;
  mismatch.element = wrong.index;
  mismatch.got = to_float(got);
  mismatch.expected = wrong.demand.expected;
  mismatch.allowed = wrong.demand.allowed.total();
  mismatch.text = fmt::format("call {}, rank {}, element {}: got {}, expected {}", mismatch.call,
                              mismatch.rank, mismatch.element, mismatch.got, mismatch.expected);
  if (is_poison(got)) {
    mismatch.text += ", as if it had never been written";
  } else if (key.set == InputSet::exact) {
    mismatch.text += diagnose_exact(key, ranks, context, output, mismatch.element);
  } else {
    mismatch.text += describe(wrong.demand, mismatch.got);
  }
  return mismatch;
}

template <typename Element>
std::optional<Mismatch> check(const InputKey& key, int ranks, const Numerics& numerics,
                              std::span<const std::byte> output, const CallContext& context, int threads) {
  std::vector<std::optional<Wrong<Element>>> wrong(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_parts(output.size() / sizeof(Element), kPart, threads,
                 [&](std::size_t part, std::size_t begin, std::size_t end) {
                   wrong[part] = find_wrong<Element>(key, ranks, numerics, output, begin, end);
                 });
  for (const auto& first : wrong) {
    if (first) return explain(key, ranks, output, context, *first);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> check_output(const InputKey& key, int ranks, const Numerics& numerics,
                                     std::span<const std::byte> output, const CallContext& context,
                                     int threads) {
  return with_element(key.dtype, [&]<typename Element>() {
    return check<Element>(key, ranks, numerics, output, context, threads);
  });
}

std::optional<Mismatch> check_output(const InputKey& key, int ranks, const Numerics& numerics,
                                     std::span<const std::byte> output) {
  CallContext context{.call = key.call, .before = {}, .after = key.call + 1};
  if (key.call > 0) context.before = key.call - 1;
  return check_output(key, ranks, numerics, output, context);
}

}  // namespace ringside
