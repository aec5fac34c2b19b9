#include "served/comparable_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr double kSameBatch = 0.03;    // numbers of sequences in a log vary by one or two
constexpr double kSameContext = 0.25;  // of the larger one

// "2K", "2.5K", "512": tokens as people say them.
std::string short_count(double count) {
  if (count < 1000) return fmt::format("{:.0f}", count);
  const double thousands = count / 1000;
  return thousands < 9.95 && std::fabs(thousands - std::round(thousands)) >= 0.05
             ? fmt::format("{:.1f}K", thousands)
             : fmt::format("{:.0f}K", thousands);
}

bool differ(double a, double b, double share) {
  return std::fabs(a - b) > share * std::max(std::fabs(a), std::fabs(b));
}

std::string two_texts(const char* what, const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || a == b ? "" : fmt::format("{} {} and {}", what, a, b);
}

std::string two_counts(const char* what, const std::optional<int>& a, const std::optional<int>& b) {
  return !a || !b || *a == *b ? "" : fmt::format("{} {} and {}", what, *a, *b);
}

std::string two_truths(const char* what, const std::optional<bool>& a, const std::optional<bool>& b) {
  if (!a || !b || *a == *b) return "";
  return fmt::format("{} {} and {}", what, *a ? "on" : "off", *b ? "on" : "off");
}

// Ranks share no experts where none is said to.
std::optional<int> experts(const LoggedArguments& arguments) {
  if (arguments.expert_parallel || arguments.empty()) return arguments.expert_parallel;
  return 1;
}

std::string disagreement(const LoggedArguments& a, const LoggedArguments& b) {
  for (const std::string& reason :
       {two_texts("server", a.server, b.server), two_texts("version", a.version, b.version),
        two_texts("model", a.model, b.model), two_counts("TP", a.tensor_parallel, b.tensor_parallel),
        two_counts("DP", a.data_parallel, b.data_parallel),
        two_counts("PP", a.pipeline_parallel, b.pipeline_parallel), two_counts("EP", experts(a), experts(b)),
        two_truths("DP attention", a.data_attention, b.data_attention),
        two_truths("CUDA graphs", a.graphs, b.graphs),
        two_texts("quantization", a.quantization, b.quantization),
        two_texts("dtype", a.weight_type, b.weight_type), two_texts("KV cache type", a.kv_type, b.kv_type)})
    if (!reason.empty()) return reason;
  return "";
}

std::string batches(const SpeedReading& a, const SpeedReading& b) {
  if (!a.batch || !b.batch) return "batch not known";
  if (differ(*a.batch, *b.batch, kSameBatch)) return fmt::format("batch {:g} and {:g}", *a.batch, *b.batch);
  if (a.ranks != b.ranks) return fmt::format("{} and {} data-parallel ranks", a.ranks, b.ranks);
  return "";
}

std::string kinds(const SpeedReading& plain, const SpeedReading& speculative) {
  if (plain.speculative || !speculative.speculative) return "one with speculation and one without are needed";
  if (plain.arguments.speculation.value_or(false))
    return "the plain windows are of a server with speculation switched on";
  if (!plain.tokens_s || !speculative.tokens_s) return "a speed is not known";
  if (plain.basis != speculative.basis) return "a server's lines and a benchmark's requests";
  return "";
}

std::string contexts(const SpeedReading& a, const SpeedReading& b) {
  if (!a.context || !b.context || !differ(*a.context, *b.context, kSameContext)) return "";
  return fmt::format("context {} and {}", short_count(*a.context), short_count(*b.context));
}

std::string unknowns(const SpeedReading& a, const SpeedReading& b) {
  std::vector<std::string> names;
  if (!a.context || !b.context) names.emplace_back("context");
  if (a.arguments.empty() || b.arguments.empty()) names.emplace_back("arguments");
  return join(names, " and ");
}

}  // namespace

SpeedComparison compare_speeds(const SpeedReading& plain, const SpeedReading& speculative) {
  SpeedComparison comparison;
  comparison.unknown = unknowns(plain, speculative);
  for (const std::string& reason :
       {kinds(plain, speculative), batches(plain, speculative), contexts(plain, speculative),
        disagreement(plain.arguments, speculative.arguments)}) {
    if (reason.empty()) continue;
    comparison.reason = reason;
    return comparison;
  }
  comparison.ratio = *speculative.tokens_s / *plain.tokens_s;
  comparison.few = !plain.spread || !speculative.spread;
  const Interval below = plain.spread.value_or(Interval{*plain.tokens_s, *plain.tokens_s});
  const Interval above = speculative.spread.value_or(Interval{*speculative.tokens_s, *speculative.tokens_s});
  comparison.interval = {above.low / below.high, above.high / below.low};
  return comparison;
}

std::vector<SpeedPair> pairs_of(const std::vector<SpeedReading>& readings) {
  std::vector<SpeedPair> pairs;
  for (const SpeedReading& plain : readings) {
    if (plain.speculative) continue;
    for (const SpeedReading& speculative : readings) {
      if (!speculative.speculative || !speculative.tokens_s || !plain.tokens_s) continue;
      pairs.push_back({&plain, &speculative, compare_speeds(plain, speculative)});
    }
  }
  std::ranges::stable_sort(pairs, [](const SpeedPair& a, const SpeedPair& b) {
    const bool a_can = a.comparison.reason.empty(), b_can = b.comparison.reason.empty();
    if (a_can != b_can) return a_can;
    return a.speculative->batch.value_or(0) < b.speculative->batch.value_or(0);
  });
  return pairs;
}

}  // namespace ringside
