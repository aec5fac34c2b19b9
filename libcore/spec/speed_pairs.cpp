#include "spec/speed_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "served/comparable_speeds.hpp"

namespace ringside {
namespace {

constexpr double kNinety = 1.6449;  // sigmas on each side of 90 %

double distance(const SpeedReading& plain, const SpeedReading& speculative) {
  if (!plain.batch || !speculative.batch) return 0;
  return std::abs(std::log(*plain.batch / *speculative.batch));
}

SpecRange ratio_of(const SpeedReading& plain, const SpeedReading& speculative) {
  const double ratio = *speculative.tokens_s / *plain.tokens_s;
  const double sigma = std::hypot(relative_error(plain), relative_error(speculative));
  return {ratio, ratio * std::exp(-kNinety * sigma), ratio * std::exp(kNinety * sigma)};
}

SpecMeasured pair_of(const Inquiry& inquiry, const ObservedReading& plain,
                     const ObservedReading& speculative) {
  SpecMeasured pair;
  pair.batch = speculative.reading.batch.value_or(0);
  pair.drafts = drafts_of(inquiry.scenario, speculative.reading);
  pair.speculative_tokens_s = *speculative.reading.tokens_s;
  pair.plain_tokens_s = *plain.reading.tokens_s;
  pair.context = speculative.reading.context ? speculative.reading.context : plain.reading.context;
  pair.length = speculative.reading.length;
  pair.speculative_source = speculative.reading.source;
  pair.plain_source = plain.reading.source;
  pair.reason = compare_speeds(plain.reading, speculative.reading).reason;
  for (const SpeedReading* reading : {&plain.reading, &speculative.reading}) {
    if (pair.reason.empty()) pair.reason = impossible_speed(*reading->tokens_s, reading->batch.value_or(0));
  }
  if (pair.reason.empty()) pair.ratio = ratio_of(plain.reading, speculative.reading);
  return pair;
}

}  // namespace

std::vector<SpecMeasured> pair_speeds(const Inquiry& inquiry) {
  std::vector<const ObservedReading*> plain, speculative;
  for (const ObservedReading& observed : inquiry.observations) {
    if (observed.reading.tokens_s) (observed.reading.speculative ? speculative : plain).push_back(&observed);
  }
  std::vector<SpecMeasured> pairs;
  std::optional<SpecMeasured> refused;
  double refused_distance = 0;
  for (const ObservedReading* with : speculative) {
    std::optional<SpecMeasured> found;
    for (const ObservedReading* without : plain) {
      SpecMeasured pair = pair_of(inquiry, *without, *with);
      const double far = distance(without->reading, with->reading);
      if (pair.ratio) {
        if (!found) found = std::move(pair);
      } else if (!refused || far < refused_distance) {
        refused = std::move(pair);
        refused_distance = far;
      }
    }
    if (found) pairs.push_back(*std::move(found));
  }
  if (pairs.empty() && refused) pairs.push_back(*std::move(refused));
  return pairs;
}

const SpecMeasured* binding_pair(const Inquiry& inquiry, const std::vector<SpecMeasured>& pairs,
                                 const StepPoint& point) {
  constexpr double kSameContext = 1.25;
  constexpr double kSameLength = 0.03;
  const auto near = [](double a, double b, double factor) { return a <= b * factor && b <= a * factor; };
  const auto found = std::ranges::find_if(pairs, [&](const SpecMeasured& pair) {
    if (!pair.ratio || std::lround(pair.batch) != point.batch) return false;
    if (pair.drafts.value_or(point.drafts) != point.drafts) return false;
    if (!near(pair.context.value_or(point.context), point.context, kSameContext)) return false;
    if (!pair.length || !inquiry.acceptance) return true;
    const double length = inquiry.acceptance->acceptance.tokens(point.drafts);
    return near(*pair.length, length, 1 + kSameLength);
  });
  return found == pairs.end() ? nullptr : &*found;
}

std::string impossible_speed(double tokens_s, double batch) {
  constexpr double kMost = 1e4;  // tokens a second of one sequence: several times the fastest that is known
  if (batch <= 0 || tokens_s <= kMost * batch) return "";
  return fmt::format("{:g} tok/s at batch {:g}: no server gives a sequence {:g} tokens a second", tokens_s,
                     batch, tokens_s / batch);
}

}  // namespace ringside
