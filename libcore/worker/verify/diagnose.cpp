#include "worker/verify/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "worker/verify/element.hpp"

namespace ringside {
namespace {

constexpr std::size_t kWrongElements = 8;  // an explanation that fits so many is no accident
constexpr std::size_t kWindow = 4096;      // elements that are searched for them

using Contributions = std::vector<float>;  // one for each rank

struct WrongElement {
  float got = 0;
  Contributions here;
  Contributions before;  // empty: there was no call before
  Contributions after;
  float left_sum = 0;  // of the neighbouring elements; 0, which no contribution is, where there is none
  float right_sum = 0;
};

float sum(const Contributions& values) {
  return std::accumulate(values.begin(), values.end(), 0.0f);
}

template <typename Element>
class Evidence {
 public:
  Evidence(const InputKey& key, int ranks, const CallContext& context, std::span<const std::byte> output)
      : key_(key), ranks_(ranks), context_(context), output_(output) {}

  std::vector<WrongElement> collect(std::size_t first_wrong) const {
    std::vector<WrongElement> wrong;
    const std::size_t end = std::min(output_.size() / sizeof(Element), first_wrong + kWindow);
    for (std::size_t i = first_wrong; i < end && wrong.size() < kWrongElements; ++i) {
      WrongElement element;
      element.got = got(i);
      element.here = contributions(key_.call, i);
      if (element.got == sum(element.here)) continue;
      if (context_.before) element.before = contributions(*context_.before, i);
      if (context_.after) element.after = contributions(*context_.after, i);
      if (i > 0) element.left_sum = sum(contributions(key_.call, i - 1));
      element.right_sum = sum(contributions(key_.call, i + 1));
      wrong.push_back(std::move(element));
    }
    return wrong;
  }

 private:
  float got(std::size_t index) const {
    Element element;
    std::memcpy(&element, output_.data() + index * sizeof(Element), sizeof element);
    return to_float(element);
  }

  Contributions contributions(std::uint32_t call, std::size_t index) const {
    Contributions values;
    for (int rank = 0; rank < ranks_; ++rank) {
      InputKey key = key_;
      key.call = call;
      key.rank = rank;
      Element element;
      fill_input(key, index, std::as_writable_bytes(std::span(&element, 1)));
      values.push_back(to_float(element));
    }
    return values;
  }

  const InputKey& key_;
  int ranks_;
  const CallContext& context_;
  std::span<const std::byte> output_;
};

// The first explanation that fits all of `wrong`; the simplest come first.
std::string explain(const std::vector<WrongElement>& wrong, std::size_t ranks) {
  const auto always = [&](auto fits) { return std::all_of(wrong.begin(), wrong.end(), fits); };
  for (std::size_t k = 0; k < ranks; ++k) {
    if (always([&](const auto& e) { return e.got == sum(e.here) - e.here[k]; })) {
      return fmt::format("the contribution of rank {} were missing", k);
    }
  }
  if (always([](const auto& e) { return !e.before.empty() && e.got == sum(e.before); })) {
    return "it were the sum of the call before";
  }
  for (std::size_t k = 0; k < ranks; ++k) {
    if (always([&](const auto& e) {
          return !e.before.empty() && e.got == sum(e.here) - e.here[k] + e.before[k];
        })) {
      return fmt::format("the contribution of rank {} were still that of the call before", k);
    }
    if (always([&](const auto& e) {
          return !e.after.empty() && e.got == sum(e.here) - e.here[k] + e.after[k];
        })) {
      return fmt::format("the contribution of rank {} were already that of the next call", k);
    }
    if (always([&](const auto& e) { return e.got == sum(e.here) + e.here[k]; })) {
      return fmt::format("the contribution of rank {} were counted twice", k);
    }
    if (always([&](const auto& e) { return e.got == e.here[k]; })) {
      return fmt::format("it were the contribution of rank {} alone", k);
    }
  }
  if (always([](const auto& e) { return e.got == e.left_sum; }))
    return "it were the sum of the element to the left";
  if (always([](const auto& e) { return e.got == e.right_sum; }))
    return "it were the sum of the element to the right";
  for (std::size_t k = 0; k < ranks; ++k) {
    for (std::size_t other = 0; other < ranks; ++other) {
      if (always([&](const auto& e) { return e.got == sum(e.here) - e.here[k] + e.here[other]; })) {
        return fmt::format("the contribution of rank {} stood in for that of rank {}", other, k);
      }
    }
  }
  return {};
}

}  // namespace

std::string diagnose_exact(const InputKey& key, int ranks, const CallContext& context,
                           std::span<const std::byte> output, std::size_t first_wrong) {
  const auto wrong = with_element(key.dtype, [&]<typename Element>() {
    return Evidence<Element>(key, ranks, context, output).collect(first_wrong);
  });
  const std::string explanation = explain(wrong, static_cast<std::size_t>(ranks));
  if (explanation.empty()) return {};
  if (wrong.size() == 1) return fmt::format(", as if {}", explanation);
  return fmt::format(", as if {} in all {} wrong elements looked at", explanation, wrong.size());
}

}  // namespace ringside
